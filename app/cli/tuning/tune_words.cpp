// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/tune_words.h"

#include "toolchain/base/figures.h"
#include "toolchain/report/text_table.h"

#include <algorithm>

namespace warpwright {
namespace {

QString linesText(const TextLines &lines, QLatin1Char mark, Ink ink, const Terminal &terminal) {
    QString text;
    for (const QByteArray &line : lines) {
        QString words = QString::fromUtf8(line);
        const bool isWhole = words.endsWith(QLatin1Char('\n'));
        while (words.endsWith(QLatin1Char('\n')) || words.endsWith(QLatin1Char('\r')))
            words.chop(1);
        text += inked(terminal, ink, QString(mark) + printable(words)) + QLatin1Char('\n');
        if (!isWhole)
            text += QStringLiteral("\\ no line end\n");
    }
    return text;
}

QString changeText(const std::optional<int> &before, const std::optional<int> &after) {
    const auto orNone = [](const std::optional<int> &value) {
        return value ? QString::number(*value) : QStringLiteral("none");
    };
    return QStringLiteral("%1 → %2").arg(orNone(before), orNone(after));
}

} // namespace

QString ratioText(const std::optional<TimeRatio> &ratio) {
    return ratio ? QStringLiteral("%1 of the time (%2–%3)")
                       .arg(percentText(ratio->value), percentText(ratio->low), percentText(ratio->high))
                 : QString();
}

QString promptText(const AgentPrompt &prompt, const Terminal &terminal) {
    QString text =
        QLatin1Char('\n') + wrapped(printable(prompt.question), terminal.columns, 0) + QLatin1Char('\n');
    for (int option = 0; option < prompt.options.size(); ++option)
        text += QStringLiteral("  [%1] %2\n").arg(option + 1).arg(printableLine(prompt.options.at(option)));
    return text;
}

QString hunkHelp() {
    return QStringLiteral("  y  take this hunk; a reason may follow y, n and d: y clearer\n"
                          "  n  leave it out\n"
                          "  e  write the lines yourself, in EDITOR\n"
                          "  a  take this hunk and all that are not answered yet\n"
                          "  d  leave this hunk out, and all that are not answered yet\n"
                          "  h  measure only each hunk, and all without it\n"
                          "  u  take the last answer back\n"
                          "  q  stop the run; what was kept stays");
}

QString conflictHelp() {
    return QStringLiteral("  m  keep the lines that you wrote\n"
                          "  t  take the agent's lines instead\n"
                          "  e  write the lines yourself, in EDITOR\n"
                          "  q  stop the run; what was kept stays");
}

QString stepHelp() {
    return QStringLiteral("  k  keep the step: the next one builds on it\n"
                          "  u  undo it: the text before comes back\n"
                          "  b  the same, and the agent is told that the step is kept as a branch\n"
                          "  q  stop the run; the step is taken back");
}

QString proposalText(const Proposal &proposal, const Terminal &terminal) {
    QString text =
        QLatin1Char('\n') +
        inked(terminal, Ink::Strong, printableLine(proposal.id + QStringLiteral(": ") + proposal.title)) +
        QStringLiteral("  (%1)\n").arg(printableLine(proposal.author.name));
    if (!proposal.reason.isEmpty())
        text += wrapped(printable(proposal.reason), terminal.columns, 0) + QLatin1Char('\n');
    QStringList expected;
    if (const QString promised = promisedWords(proposal.prediction); !promised.isEmpty())
        expected << promised;
    if (!proposal.prediction.words.isEmpty())
        expected << printable(proposal.prediction.words);
    if (!expected.isEmpty())
        text += QStringLiteral("expected: %1\n").arg(expected.join(QStringLiteral(", ")));
    return text;
}

QString hunkText(const ProposalReview &review, const Hunk &hunk, const Terminal &terminal) {
    const QString file = review.fileOf(hunk.id);
    if (review.isRename(hunk.id))
        return QStringLiteral("\nrename %1 to %2\n")
            .arg(printableLine(file), printableLine(QString::fromUtf8(joined(hunk.newLines))));
    QString text = QLatin1Char('\n') +
                   inked(terminal, Ink::Faint,
                         QStringLiteral("%1, line %2").arg(printableLine(file)).arg(hunk.start + 1)) +
                   QLatin1Char('\n');
    if (hunk.state == HunkState::Conflict) {
        text += QStringLiteral("it was:\n") +
                linesText(hunk.oldLines, QLatin1Char(' '), Ink::Plain, terminal) + QStringLiteral("mine:\n") +
                linesText(hunk.standing, QLatin1Char('<'), Ink::Unsure, terminal) +
                QStringLiteral("theirs:\n") + linesText(hunk.newLines, QLatin1Char('>'), Ink::Good, terminal);
        return text;
    }
    return text + linesText(hunk.oldLines, QLatin1Char('-'), Ink::Bad, terminal) +
           linesText(hunk.newLines, QLatin1Char('+'), Ink::Good, terminal);
}

QString evidenceText(const Evidence &evidence, const Terminal &terminal) {
    QStringList parts;
    parts << QStringLiteral("compile %1").arg(statusName(evidence.compile))
          << QStringLiteral("verify %1").arg(statusName(evidence.verify));
    if (evidence.difference) {
        const TimeRatio &difference = *evidence.difference;
        const double median = evidence.after.candidate ? evidence.after.candidate->medianMicroseconds : 1;
        parts << QStringLiteral("time ") +
                     timeScaleOf(median).difference(difference.value, difference.low, difference.high) +
                     (evidence.isOneRun ? QStringLiteral(", side by side") : QStringLiteral(", of two runs"));
    }
    if (!evidence.unexercised.empty())
        parts << QStringLiteral("not exercised on this device: ") +
                     printable(notRunSentence(evidence.unexercised));
    if (const QString ratio = ratioText(evidence.ratio); !ratio.isEmpty())
        parts << ratio + (evidence.whyNoDifference.isEmpty()
                              ? QString()
                              : QStringLiteral(": ") + evidence.whyNoDifference);
    for (const KernelChange &kernel : evidence.kernels) {
        if (kernel.registersBefore != kernel.registersAfter)
            parts << QStringLiteral("%1: registers %2")
                         .arg(printableLine(kernel.name),
                              changeText(kernel.registersBefore, kernel.registersAfter));
        if (kernel.sharedBytesBefore != kernel.sharedBytesAfter)
            parts << QStringLiteral("%1: shared bytes %2")
                         .arg(printableLine(kernel.name),
                              changeText(kernel.sharedBytesBefore, kernel.sharedBytesAfter));
    }
    return QStringLiteral("\nmeasured ahead: %1: %2\n")
        .arg(inked(terminal, inkOf(evidence.after.verdict), verdictName(evidence.after.verdict)),
             parts.join(QStringLiteral("; ")));
}

QString contributionsText(const Session &session, const HunkEvidences &measured, const Terminal &terminal) {
    const HunkEvidences evidences = withUnexercised(session, measured);
    const HunkContributions contributions = hunkContributions(session, evidences);
    const auto cell = [&](const std::optional<TimeDifference> &difference,
                          const std::optional<Evidence> &evidence, bool isUnexercised) {
        if (isUnexercised)
            return QStringLiteral("not exercised");
        if (difference)
            return contributions.times.difference(difference->value, difference->low, difference->high);
        return !evidence                           ? QStringLiteral("not measured")
               : !whyNotTimed(*evidence).isEmpty() ? whyNotTimed(*evidence)
                                                   : verdictName(evidence->after.verdict);
    };
    TextTable table({0, 1, 2});
    table.heading(
        {QStringLiteral("hunk"), QStringLiteral("only this"), QStringLiteral("without this"), QString()});
    int number = 0;
    for (const auto &[id, evidence] : evidences) {
        const auto found = std::find_if(contributions.hunks.begin(), contributions.hunks.end(),
                                        [id = id](const HunkContribution &hunk) { return hunk.id == id; });
        const HunkContribution hunk = found == contributions.hunks.end() ? HunkContribution() : *found;
        table.row({QString::number(++number), cell(hunk.alone, evidence.alone, hunk.isUnexercised),
                   cell(hunk.allBut, evidence.allBut, hunk.isUnexercised), printable(hunk.title)});
    }
    QString text = QLatin1Char('\n') + table.text(terminal, 0);
    for (const ContributionSentence &sentence : contributionSentences(contributions))
        text += QStringLiteral("%1%2: %3\n")
                    .arg(sentence.head,
                         sentence.value.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(sentence.value),
                         printable(sentence.words));
    return text;
}

QString scoredText(const ScoredProposal &scored, int number, const Terminal &terminal) {
    QString text = QStringLiteral("%1  %2").arg(number, 3).arg(scored.outcome, -9);
    text += scored.iteration > 0 ? QStringLiteral("  iteration %1").arg(scored.iteration, -4)
                                 : QString(16, QLatin1Char(' '));
    if (!scored.summary.id.isEmpty())
        text += QStringLiteral("  ") +
                inked(terminal, inkOf(scored.summary.verdict), verdictName(scored.summary.verdict));
    if (scored.summary.candidate)
        text += QStringLiteral("  ") + timeText(scored.summary.candidate->medianMicroseconds);
    if (scored.summary.unexercised)
        text += QStringLiteral("  not exercised on this device");
    if (const QString ratio = ratioText(scored.ratio); !ratio.isEmpty())
        text += QStringLiteral("  ") + ratio;
    if (scored.prediction.timeRatio)
        text += QStringLiteral("  expected %1").arg(percentText(*scored.prediction.timeRatio));
    text += QStringLiteral("  ") + printableLine(scored.title) + QLatin1Char('\n');
    return scored.why.isEmpty() ? text : text + QStringLiteral("     %1\n").arg(printable(scored.why));
}

} // namespace warpwright
