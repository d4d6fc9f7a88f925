// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/stage_notes.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/judge_sections.h"

namespace warpwright {
namespace {

std::optional<double> numberIn(const OrderedJson &object, const char *key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number())
        return std::nullopt;
    return object[key].get<double>();
}

QString compileNote(const CompileSection &compile) {
    QStringList facts;
    qsizetype errors = countErrors(compile.diagnostics);
    qsizetype warnings = 0;
    for (const Diagnostic &diagnostic : compile.diagnostics)
        warnings += diagnostic.severity == Severity::Warning ? 1 : 0;
    if (errors > 0)
        facts.append(countText(errors, QStringLiteral("error")));
    if (warnings > 0)
        facts.append(countText(warnings, QStringLiteral("warning")));
    if (compile.objects > 0)
        facts.append(countText(compile.objects, QStringLiteral("object")) +
                     (compile.cachedObjects > 0
                          ? QStringLiteral(", %1 of them from the cache").arg(compile.cachedObjects)
                          : QString()));
    if (!compile.kernels.empty())
        facts.append(countText(static_cast<qsizetype>(compile.kernels.size()), QStringLiteral("kernel")));
    return facts.join(QStringLiteral(", "));
}

QString verifyNote(const OrderedJson &verify) {
    QStringList facts;
    if (verify.contains("rounds") && verify["rounds"].is_array() && !verify["rounds"].empty())
        facts.append(
            countText(static_cast<qsizetype>(verify["rounds"].size()), QStringLiteral("secret input")));
    const OrderedJson worst = verify.contains("worst") ? verify["worst"] : OrderedJson();
    const std::optional<double> error = numberIn(worst, "relativeError");
    const std::optional<double> bound = numberIn(worst, "bound");
    // As the window's pages say it; the judge's own numbers are relative to what is expected there and to its
    // RMS over the whole result.
    if (error && bound && *bound > 0)
        facts.append(QStringLiteral("worst error / allowed: %1 (|got − expected| / (|expected| + RMS): %2, "
                                    "allowed %3)")
                         .arg(*error / *bound, 0, 'g', 3)
                         .arg(*error, 0, 'g', 3)
                         .arg(*bound, 0, 'g', 3));
    const OrderedJson criterion =
        verify.contains("workdirCriterion") ? verify["workdirCriterion"] : OrderedJson();
    if (const QString status = stringIn(criterion, "status");
        !status.isEmpty() && status != QLatin1String("not-run"))
        facts.append(QStringLiteral("atol = rtol = 1e-2: ") + status);
    return facts.join(QStringLiteral("; "));
}

QString sanitizersNote(const SanitizerSection &sanitizers) {
    QStringList facts;
    for (const SanitizerOutcome &outcome : sanitizers.tools)
        facts.append(outcome.status == StageStatus::Failed
                         ? QStringLiteral("%1: %2").arg(outcome.tool,
                                                        countText(outcome.errors, QStringLiteral("error")))
                         : QStringLiteral("%1 %2").arg(outcome.tool, statusName(outcome.status)));
    return facts.isEmpty() ? sanitizers.reason : facts.join(QStringLiteral(", "));
}

std::optional<double> secondsOf(const SanitizerSection &sanitizers) {
    std::optional<double> seconds;
    for (const SanitizerOutcome &outcome : sanitizers.tools) {
        if (outcome.seconds)
            seconds = seconds.value_or(0) + *outcome.seconds;
    }
    return seconds;
}

QString profileNote(const Evaluation &evaluation) {
    if (statusOf(evaluation.profile) != StageStatus::Undecided)
        return {};
    const QString why = QStringLiteral("the times scatter too much");
    return evaluation.unexercised && evaluation.unexercised->isKept
               ? why + QStringLiteral("; the code that ran is the one before, whose verdict is kept")
               : why;
}

QString integrityNote(const OrderedJson &integrity) {
    const OrderedJson sandbox = integrity.contains("wall") ? integrity["wall"] : OrderedJson();
    QString text = sandbox.is_string() ? fromJson(sandbox.get<std::string>()) : stringIn(sandbox, "kind");
    if (!text.isEmpty())
        text = QStringLiteral("sandbox: ") + text;
    const qsizetype findings = integrity.contains("findings") && integrity["findings"].is_array()
                                   ? static_cast<qsizetype>(integrity["findings"].size())
                                   : 0;
    if (findings > 0)
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) +
                countText(findings, QStringLiteral("finding"));
    return text;
}

} // namespace

std::vector<StageNote> stageNotes(const Evaluation &evaluation) {
    std::vector<StageNote> notes{
        {QStringLiteral("compile"), evaluation.compile.status, evaluation.compile.seconds,
         compileNote(evaluation.compile)},
        {QStringLiteral("verify"), statusOf(evaluation.verify), numberIn(evaluation.verify, "seconds"),
         verifyNote(evaluation.verify)},
        {QStringLiteral("profile"), statusOf(evaluation.profile), numberIn(evaluation.profile, "seconds"),
         profileNote(evaluation)},
    };
    if (evaluation.tier == Tier::Certify)
        notes.push_back({QStringLiteral("sanitize"), evaluation.sanitizers.status,
                         secondsOf(evaluation.sanitizers), sanitizersNote(evaluation.sanitizers)});
    if (statusOf(evaluation.integrity) != StageStatus::NotRun)
        notes.push_back({QStringLiteral("integrity"),
                         statusOf(evaluation.integrity),
                         {},
                         integrityNote(evaluation.integrity)});
    return notes;
}

} // namespace warpwright
