// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/evaluation_report.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/graph_remark.h"
#include "toolchain/evaluation/judge_sections.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/failure_map/failure_pattern.h"
#include "toolchain/report/stage_notes.h"
#include "toolchain/report/text_table.h"
#include "toolchain/report/traceback.h"
#include "toolchain/tool_output/kernel_name.h"

namespace warpwright {
namespace {

constexpr qsizetype shownDiagnostics = 10;
constexpr qsizetype shownKernels = 12;

QString textIn(const OrderedJson &object, const char *key) {
    return printable(stringIn(object, key));
}

int numberOr(const OrderedJson &object, const char *key, int otherwise) {
    return object.contains(key) && object[key].is_number_integer() ? object[key].get<int>() : otherwise;
}

QString head(const Evaluation &evaluation, const Terminal &terminal) {
    const QString name = textIn(evaluation.workspace, "name");
    if (name.isEmpty())
        return {};
    QStringList facts;
    if (const QString device = textIn(evaluation.device, "name"); !device.isEmpty()) {
        const QString kind = textIn(evaluation.device, "kind");
        const QString index =
            evaluation.device.contains("index") && evaluation.device["index"].is_number_integer()
                ? QStringLiteral(":%1").arg(evaluation.device["index"].get<int>())
                : QString();
        facts.append(kind == QLatin1String("cpu")
                         ? QStringLiteral("cpu (%1, %2)")
                               .arg(device, countText(numberOr(evaluation.device, "threads", 0),
                                                      QStringLiteral("thread")))
                         : QStringLiteral("%1%2 (%3)").arg(kind, index, device));
    }
    if (const QString torch = textIn(evaluation.environment, "torch"); !torch.isEmpty())
        facts.append(QStringLiteral("torch ") + torch);
    facts.append(QStringLiteral("tier ") + tierName(evaluation.tier));
    return inked(terminal, Ink::Strong, name) + QStringLiteral("   ") +
           inked(terminal, Ink::Faint, facts.join(QStringLiteral(" · "))) + QStringLiteral("\n");
}

/// ", and slower than eager, 0.40×": what a pass that is rewarded for being right alone does to the time.
/// Empty: nobody measured it.
QString againstEager(const Evaluation &evaluation) {
    const std::optional<SpeedUp> eager = speedUpIn(evaluation.profile, "eager");
    if (!eager)
        return {};
    const QString factor = factorText(eager->value, eager->low, eager->high).both();
    if (eager->high < 1)
        return QStringLiteral(", and slower than eager, ") + factor;
    if (eager->low > 1)
        return QStringLiteral(", and faster than eager, by no more than 5 %: ") + factor;
    return QStringLiteral(", and as fast as eager as far as it can be told, ") + factor;
}

} // namespace

QString stagesText(const Evaluation &evaluation, const Terminal &terminal) {
    // The colour must not count as width, so the rows are aligned first and inked as a whole.
    TextTable table({2});
    table.heading({QStringLiteral("stage"), QStringLiteral("status"), QStringLiteral("time"), QString()});
    for (const StageNote &note : stageNotes(evaluation)) {
        const Ink ink = note.status == StageStatus::Failed      ? Ink::Bad
                        : note.status == StageStatus::Undecided ? Ink::Unsure
                                                                : Ink::Plain;
        table.row({note.stage, statusName(note.status),
                   note.seconds ? durationText(*note.seconds) : QString(), printable(note.text)},
                  note.status == StageStatus::NotRun ? Ink::Faint : ink);
    }
    return table.text(terminal, 2);
}

QString diagnosticsText(const Evaluation &evaluation, const Terminal &terminal) {
    QString text;
    qsizetype shown = 0;
    qsizetype left = 0;
    // Errors first: with a hundred warnings above it nobody finds the one that matters.
    for (const bool wantsErrors : {true, false}) {
        for (const Diagnostic &diagnostic : evaluation.compile.diagnostics) {
            const bool isError =
                diagnostic.severity == Severity::Error || diagnostic.severity == Severity::Fatal;
            if (isError != wantsErrors || diagnostic.severity == Severity::Note)
                continue;
            if (shown == shownDiagnostics) {
                ++left;
                continue;
            }
            ++shown;
            QString place = diagnostic.file.isEmpty() ? diagnostic.tool : diagnostic.file;
            if (diagnostic.line > 0)
                place += QStringLiteral(":%1").arg(diagnostic.line);
            if (diagnostic.column > 0)
                place += QStringLiteral(":%1").arg(diagnostic.column);
            text +=
                QStringLiteral("  %1: %2: %3\n")
                    .arg(inked(terminal, Ink::Strong, printable(place)),
                         inked(terminal, isError ? Ink::Bad : Ink::Unsure, severityName(diagnostic.severity)),
                         printable(diagnostic.message));
        }
    }
    if (left > 0)
        text += QStringLiteral("  … and %1 more in the stored evaluation\n").arg(left);
    return text;
}

QString kernelsText(const Evaluation &evaluation, const Terminal &terminal) {
    const std::vector<KernelResources> &kernels = evaluation.compile.kernels;
    // Where something does not compile, that is what there is to read.
    if (kernels.empty() || evaluation.compile.status == StageStatus::Failed)
        return {};
    TextTable table({2, 3, 4});
    table.heading({QStringLiteral("kernel"), QStringLiteral("arch"), QStringLiteral("registers"),
                   QStringLiteral("spills"), QStringLiteral("shared")});
    qsizetype shown = 0;
    for (const KernelResources &kernel : kernels) {
        if (++shown > shownKernels)
            break;
        QString name = shortKernelName(kernel.name);
        if (name.size() > 44)
            name = name.left(43) + QStringLiteral("…");
        const int spills = kernel.spillLoadBytes + kernel.spillStoreBytes;
        table.row({printable(name), kernel.arch, QString::number(kernel.registers),
                   spills == 0 ? QStringLiteral("none") : bytesText(spills),
                   bytesText(kernel.staticSharedBytes)},
                  spills > 0 ? Ink::Unsure : Ink::Plain);
    }
    QString text = table.text(terminal, 2);
    if (const auto left = static_cast<qsizetype>(kernels.size()) - shownKernels; left > 0)
        text += QStringLiteral("  … and %1 more in the stored evaluation\n").arg(left);
    return text;
}

QString findingsText(const Evaluation &evaluation, const Terminal &terminal) {
    QString text;
    const OrderedJson findings = evaluation.integrity.is_object()
                                     ? evaluation.integrity.value("findings", OrderedJson::array())
                                     : OrderedJson::array();
    for (const OrderedJson &finding : findings) {
        QString line = textIn(finding, "kind");
        const OrderedJson place = finding.is_object() ? finding.value("place", OrderedJson()) : OrderedJson();
        if (const QString file = textIn(place, "file"); !file.isEmpty())
            line += QStringLiteral(", %1:%2").arg(file).arg(numberOr(place, "line", 0));
        text += QStringLiteral("  - ") +
                wrapped(line + QStringLiteral(": ") + textIn(finding, "evidence"), terminal.columns - 4, 4) +
                QLatin1Char('\n');
    }
    return text.isEmpty()
               ? text
               : inked(terminal, Ink::Bad, QStringLiteral("Findings (evidence)")) + QLatin1Char('\n') + text;
}

QString sanitizersText(const Evaluation &evaluation, const Terminal &terminal) {
    QString text;
    const auto add = [&](const QString &line) {
        text +=
            QStringLiteral("  - ") + wrapped(printable(line), terminal.columns - 4, 4) + QLatin1Char('\n');
    };
    for (const SanitizerOutcome &outcome : evaluation.sanitizers.tools) {
        if (outcome.status == StageStatus::NotRun)
            add(QStringLiteral("%1 was not run: %2").arg(outcome.tool, outcome.reason));
        for (const SanitizerFinding &finding : outcome.first) {
            QStringList where{outcome.tool};
            for (const QString &part : {placeText(finding), finding.kernel}) {
                if (!part.isEmpty())
                    where << part;
            }
            if (!finding.thread.isEmpty())
                where << QStringLiteral("thread %1 of block %2").arg(finding.thread, finding.block);
            add(where.join(QStringLiteral(", ")) + QStringLiteral(": ") + finding.message);
        }
        if (outcome.leftOut > 0)
            add(QStringLiteral("%1: %2 outside of your kernels left out")
                    .arg(outcome.tool, countText(outcome.leftOut, QStringLiteral("error"))));
    }
    return text.isEmpty()
               ? text
               : inked(terminal, Ink::Strong, QStringLiteral("Sanitizers")) + QLatin1Char('\n') + text;
}

QString patternsText(const Evaluation &evaluation, const Terminal &terminal) {
    QString text;
    for (const QString &line : patternLines(evaluation.verify))
        text +=
            QStringLiteral("  - ") + wrapped(printable(line), terminal.columns - 4, 4) + QLatin1Char('\n');
    return text.isEmpty() ? text
                          : inked(terminal, Ink::Strong, QStringLiteral("Where the result is wrong")) +
                                QLatin1Char('\n') + text;
}

QString verdictText(const Evaluation &evaluation, const Terminal &terminal) {
    const Ink ink = inkOf(evaluation.verdict);
    QString text = inked(terminal, ink, verdictName(evaluation.verdict));
    const std::optional<Unexercised> &unexercised = evaluation.unexercised;
    const bool isKept = unexercised && unexercised->isKept;
    const QString parent = isKept && unexercised->iteration > 0
                               ? QStringLiteral("iteration %1").arg(unexercised->iteration)
                               : QStringLiteral("the text before");
    const QString kept = isKept ? QStringLiteral(" (kept from %1)").arg(parent) : QString();
    if (evaluation.verdict == Verdict::Pass && !evaluation.reward) {
        const QString why = degeneracyIn(evaluation.task);
        text += QStringLiteral(", no reward%1: right as far as it can be told. %2")
                    .arg(kept, why.isEmpty() ? QStringLiteral("The task is degenerate.") : printable(why));
    } else if (evaluation.verdict == Verdict::Pass) {
        const int reward = *evaluation.reward;
        const QString meaning =
            reward == 3 ? QStringLiteral("right, and more than 5 % faster than eager and than torch.compile")
            : reward == 2 ? QStringLiteral("right, and more than 5 % faster than eager")
                          : QStringLiteral("right") + (isKept ? QString() : againstEager(evaluation));
        text += QStringLiteral(", reward %1%2: %3").arg(QString::number(reward), kept, meaning);
    } else {
        if (evaluation.reward)
            text += QStringLiteral(", reward %1").arg(*evaluation.reward);
        text += QStringLiteral(": ") + printable(plainText(evaluation.message));
    }
    text = wrapped(text, terminal.columns + (terminal.hasColours ? 11 : 0), 0) + QLatin1Char('\n');
    // What a pass is not about stands beside it, not among the doubts: nothing is in doubt.
    QString sentence = unexercised ? unexercisedSentence(unexercised) : twinSentence(evaluation.exercised);
    if (isKept)
        sentence += QStringLiteral("; its times repeat those of ") + parent;
    if (!sentence.isEmpty())
        text += wrapped(printable(sentence), terminal.columns, 0) + QLatin1Char('\n');
    if (const std::optional<GraphRemark> remark = graphRemark(measuredFigures(evaluation)))
        text += wrapped(printable(remark->sentence), terminal.columns, 0) + QLatin1Char('\n');
    return text;
}

QString doubtsText(const Evaluation &evaluation, const Terminal &terminal) {
    QString text;
    for (const QString &doubt : evaluation.doubts)
        text +=
            QStringLiteral("  - ") + wrapped(printable(doubt), terminal.columns - 4, 4) + QLatin1Char('\n');
    return text.isEmpty() ? text
                          : inked(terminal, Ink::Unsure, QStringLiteral("Doubts")) + QLatin1Char('\n') + text;
}

QString reportText(const Evaluation &evaluation, const Terminal &terminal, const QString &storedAt) {
    QStringList parts;
    const auto add = [&parts](const QString &part) {
        if (!part.isEmpty())
            parts.append(part);
    };
    // Where nothing was run there is nothing to tabulate.
    if (evaluation.verdict != Verdict::Usage) {
        add(head(evaluation, terminal));
        add(stagesText(evaluation, terminal));
        add(diagnosticsText(evaluation, terminal));
        add(kernelsText(evaluation, terminal));
        add(timesText(evaluation, terminal));
    }
    // Without a frame of the person's own it only says again what the verdict says.
    if (const QString frames = ownFrames(printable(evaluation.message.detail));
        frames.contains(QLatin1String("File \""))) {
        QString lines;
        for (const QString &line : frames.split(QLatin1Char('\n')))
            lines += QStringLiteral("  ") + line + QLatin1Char('\n');
        add(lines);
    }
    add(doubtsText(evaluation, terminal));
    add(sanitizersText(evaluation, terminal));
    add(findingsText(evaluation, terminal));
    add(patternsText(evaluation, terminal));
    add(verdictText(evaluation, terminal));
    QString text = parts.join(QLatin1Char('\n'));
    if (!storedAt.isEmpty())
        text += inked(terminal, Ink::Faint, storedAt) + QLatin1Char('\n');
    return text;
}

} // namespace warpwright
