// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/evaluation_answer.h"

#include "agent/tools/kept_output.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/evaluation/said_difference.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/text_table.h"

namespace warpwright {
namespace {

const Terminal plain; // no terminal: a hundred columns, no colours

constexpr qsizetype mostWorst = 5;
constexpr qsizetype mostLogBytes = 4096;

QString valueText(const std::optional<double> &value) {
    return value ? QString::number(*value, 'g', 9) : QStringLiteral("?");
}

/// The elements that are farthest off, so that whoever wrote the kernel sees where to look.
QString worstText(const VerifyFigures &verify) {
    if (verify.worst.empty())
        return {};
    TextTable table({2, 3, 4, 5});
    table.heading({QStringLiteral("worst element"), QStringLiteral("at"), QStringLiteral("expected"),
                   QStringLiteral("actual"), QStringLiteral("relative error"), QStringLiteral("allowed")});
    for (std::size_t at = 0; at < verify.worst.size() && at < static_cast<std::size_t>(mostWorst); ++at) {
        const WorstElement &one = verify.worst[at];
        table.row({one.output, one.index, valueText(one.expected), valueText(one.actual),
                   valueText(one.error), valueText(one.allowed)});
    }
    return table.text(plain, 2);
}

QString precisionText(const Evaluation &evaluation) {
    return evaluation.precisionMeasured.isEmpty()
               ? QString()
               : QStringLiteral("precision: %1, measured (allowed: %2)\n")
                     .arg(evaluation.precisionMeasured,
                          evaluation.precisionAllowed.join(QStringLiteral(", ")));
}

QString besideText(const Evaluation &evaluation) {
    const std::optional<BesideTiming> beside = summaryOf(evaluation).beside;
    if (!beside)
        return {};
    return QStringLiteral("%1 of the time of the text you began with (95 % interval %2–%3), timed side by "
                          "side%4\n")
        .arg(percentText(beside->value), percentText(beside->low), percentText(beside->high),
             beside->low <= 1 && beside->high >= 1 ? QStringLiteral(": ") + noDifferenceWords() : QString());
}

/// The report with its verdict first: the first line is what people see of a call, and what is left of it in
/// a long conversation.
QString verdictFirst(const Evaluation &evaluation) {
    const QString verdict = verdictText(evaluation, plain);
    QString report = reportText(evaluation, plain, {});
    if (report.endsWith(verdict))
        report.chop(verdict.size());
    const EvaluationSummary summary = summaryOf(evaluation);
    const bool isRepeat = summary.unexercised && summary.unexercised->isKept;
    const QString speedUp =
        evaluation.verdict == Verdict::Pass && summary.candidate && summary.eager && !isRepeat
            ? QStringLiteral("%1, %2 over eager: ")
                  .arg(timeText(summary.candidate->medianMicroseconds),
                       factorText(summary.eager->value, summary.eager->low, summary.eager->high).both())
            : QString();
    return speedUp + verdict + QLatin1Char('\n') + report.trimmed() + QLatin1Char('\n');
}

QString compileText(const Evaluation &evaluation, const QString &log) {
    const CompileSection &compile = evaluation.compile;
    QStringList parts;
    if (compile.status == StageStatus::Passed)
        parts << QStringLiteral("Compiled%1 for %2: %3, %4 from the cache.\n")
                     .arg(compile.seconds ? QStringLiteral(" in ") + durationText(*compile.seconds)
                                          : QString(),
                          compile.architecture.isEmpty() ? QStringLiteral("this host") : compile.architecture,
                          countText(compile.objects, QStringLiteral("object")))
                     .arg(compile.cachedObjects);
    else
        parts << printable(plainText(evaluation.message)) + QLatin1Char('\n');
    const QString diagnostics = diagnosticsText(evaluation, plain);
    parts << diagnostics << kernelsText(evaluation, plain);
    if (compile.status == StageStatus::Failed && diagnostics.isEmpty() && !log.isEmpty())
        parts << cutInTheMiddle(printable(log), mostLogBytes, {});
    for (const QString &doubt : evaluation.doubts)
        parts << QStringLiteral("doubt: %1\n").arg(printable(doubt));
    parts.removeAll(QString());
    return parts.join(QString());
}

QString sweepText(const Evaluation &evaluation) {
    if (statusOf(evaluation.profile) != StageStatus::Passed)
        return reportText(evaluation, plain, {});
    if (measuredFigures(evaluation).sweep.tried.empty())
        return QStringLiteral(
            "Nothing was tried: the candidate names no CHOICES, or they have one value only. "
            "A candidate names them as a dictionary CHOICES of its class ModelNew.\n");
    return timesText(evaluation, plain);
}

QString textOf(const QString &tool, const Evaluation &evaluation, const QString &log) {
    if (tool == QLatin1String("compile"))
        return compileText(evaluation, log);
    if (tool == QLatin1String("sweep"))
        return sweepText(evaluation);
    QStringList parts{verdictFirst(evaluation)};
    if (evaluation.verdict != Verdict::Pass)
        parts << worstText(measuredFigures(evaluation).verify);
    parts << precisionText(evaluation) + besideText(evaluation);
    parts.removeAll(QString());
    return parts.join(QLatin1Char('\n'));
}

/// Whether the tool has done what it was asked for; a wrong result is not a failure of the tool `verify`, but
/// whoever asked has to act on it all the same.
bool isGood(const QString &tool, const Evaluation &evaluation) {
    if (tool == QLatin1String("compile"))
        return evaluation.compile.status == StageStatus::Passed;
    return evaluation.verdict == Verdict::Pass;
}

Json structuredOf(const Evaluation &evaluation) {
    Json json = summaryToJson(summaryOf(evaluation));
    json["message"] = toJson(plainText(evaluation.message));
    json["compile"] = toJson(statusName(evaluation.compile.status));
    json["verify"] = toJson(statusName(statusOf(evaluation.verify)));
    json["profile"] = toJson(statusName(statusOf(evaluation.profile)));
    Json diagnostics = Json::array();
    for (const Diagnostic &one : evaluation.compile.diagnostics)
        if (one.severity != Severity::Note && diagnostics.size() < 20)
            diagnostics.push_back({{"file", toJson(one.file)},
                                   {"line", one.line},
                                   {"severity", toJson(severityName(one.severity))},
                                   {"message", toJson(one.message.left(500))}});
    json["diagnostics"] = std::move(diagnostics);
    return json;
}

} // namespace

ToolAnswer evaluationAnswer(const QString &tool, const Evaluation &evaluation, const QString &log,
                            const QString &folder) {
    ToolAnswer answer;
    if (evaluation.verdict == Verdict::Cancelled)
        answer.outcome = ToolAnswer::Outcome::Cancelled;
    else if (!isGood(tool, evaluation))
        answer.outcome = ToolAnswer::Outcome::Failed;
    QString text = textOf(tool, evaluation, log);
    text.replace(QLatin1Char('"') + folder + QLatin1Char('"'), QStringLiteral("the work folder"));
    text.remove(folder + QLatin1Char('/'));
    answer.text = cutInTheMiddle(text, mostAnswerBytes, {});
    answer.structured = structuredOf(evaluation);
    return answer;
}

} // namespace warpwright
