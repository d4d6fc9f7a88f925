// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/run_words.h"

#include "app/ide/review/proposal_views.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/history/best_iteration.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("RunWords", text);
}

} // namespace

QString measuredFirstWords(int iteration) {
    return words("Iteration %1 is measured first: what is proposed is compared with it.").arg(iteration);
}

QString scoredWords(const ScoredProposal &scored, const ReviewCount &answers, bool waits) {
    const QString name = words("Proposal %1, «%2»").arg(numberOf(scored.proposal)).arg(scored.title);
    if (waits)
        return words("%1, is applied as iteration %2. Keep it, branch, or revert it.")
            .arg(name)
            .arg(scored.iteration);
    QString outcome = scored.outcome;
    if (answers.accepted + answers.edited > 0 && answers.rejected + answers.edited > 0) {
        QStringList parts;
        const auto say = [&parts](int count, const QString &word) {
            if (count > 0)
                parts << QStringLiteral("%1 %2").arg(count).arg(word);
        };
        say(answers.accepted, words("accepted"));
        say(answers.edited, words("edited"));
        say(answers.rejected, words("rejected"));
        outcome = words("%1 hunks: %2").arg(answers.total()).arg(parts.join(QStringLiteral(", ")));
    }
    QString why = scored.why;
    if (scored.summary.unexercised)
        why = words("On this device %1.").arg(unexercisedSentence(scored.summary.unexercised)) +
              QLatin1Char(' ') + why;
    return QStringLiteral("%1: %2. %3").arg(name, outcome, why).trimmed();
}

QString withoutSaid(const QString &text, QSet<QString> &said) {
    constexpr qsizetype shortestSentence = 30;
    static const QRegularExpression end(QStringLiteral("(?<=[.!?:])\\s+"));
    QString left;
    qsizetype from = 0;
    while (from < text.size()) {
        const QRegularExpressionMatch found = end.match(text, from);
        const qsizetype next = found.hasMatch() ? found.capturedEnd() : text.size();
        const QString sentence = text.mid(from, next - from);
        const QString bare = sentence.trimmed();
        if (bare.size() < shortestSentence || !said.contains(bare))
            left += sentence;
        said.insert(bare);
        from = next;
    }
    return left.trimmed();
}

QString stepWords(int proposal, StepAnswer answer, int iteration) {
    switch (answer) {
    case StepAnswer::Keep:
        return words("Proposal %1 is kept.").arg(proposal);
    case StepAnswer::Undo:
        return words("Proposal %1 is reverted: the text is iteration %2 again.").arg(proposal).arg(iteration);
    case StepAnswer::Branch:
        return words("Proposal %1 is kept as a branch: the text is iteration %2 again.")
            .arg(proposal)
            .arg(iteration);
    }
    return {};
}

QString whyUnsound(Verdict verdict) {
    switch (verdict) {
    case Verdict::BuildFailed:
        return words("does not build");
    case Verdict::Wrong:
        return words("gives a wrong result");
    case Verdict::RunFailed:
        return words("fails while it runs");
    case Verdict::Rejected:
        return words("breaks a rule of the task");
    case Verdict::Impossible:
        return words("does less work than the task needs");
    case Verdict::Pass:
    case Verdict::TaskFailed:
    case Verdict::Usage:
    case Verdict::Environment:
    case Verdict::NotRun:
    case Verdict::Inconclusive:
    case Verdict::Unverifiable:
    case Verdict::Cancelled:
        break;
    }
    return {};
}

int lastSoundBefore(int iteration, const IterationTree &tree) {
    const IterationRecord *record = tree.byNumber(iteration);
    // A parent has the lesser number: whatever a damaged history says, this ends.
    while (record != nullptr && record->iteration.parent < record->iteration.number) {
        record = tree.byNumber(record->iteration.parent);
        if (record != nullptr && record->latest &&
            (record->latest->verdict == Verdict::Pass || record->latest->verdict == Verdict::Inconclusive))
            return record->iteration.number;
    }
    return 0;
}

namespace {

/// «The text is iteration 5 now, and it does not build: not all of what was proposed was taken.»
QString unsoundWords(int iteration, Verdict verdict, const IterationTree &tree) {
    QString text = words("The text is iteration %1 now, and it %2").arg(iteration).arg(whyUnsound(verdict));
    if (const IterationRecord *record = tree.byNumber(iteration);
        record != nullptr && record->iteration.author.kind != AuthorKind::You &&
        record->iteration.note.startsWith(QLatin1String("Part of ")))
        text += words(". It is a part of what was proposed, and hunks of it were rejected");
    text += QLatin1Char('.');
    const int sound = lastSoundBefore(iteration, tree);
    if (sound > 0)
        text += tree.byNumber(sound)->latest->verdict == Verdict::Pass
                    ? words(" The last that passed is [iteration %1](iteration:%1).").arg(sound)
                    : words(" The last that was right, its time undecided, is [iteration %1](iteration:%1).")
                          .arg(sound);
    return text;
}

} // namespace

QString standingWords(int iteration, const std::optional<EvaluationSummary> &of, const IterationTree &tree) {
    if (of && !whyUnsound(of->verdict).isEmpty())
        return unsoundWords(iteration, of->verdict, tree);
    if (!of || !of->candidate)
        return {};
    const auto timeOf = [](const EvaluationSummary &summary) {
        const ArmTiming &time = *summary.candidate;
        const TimeScale scale =
            timeScaleOf(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds);
        return scale.withSpread(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds);
    };
    const auto overEager = [](const EvaluationSummary &summary) {
        if (!summary.eager)
            return QString();
        const FactorText factor = factorText(summary.eager->value, summary.eager->low, summary.eager->high);
        return words(", %1 (%2) over eager").arg(factor.value, factor.interval);
    };
    if (of->unexercised) // no time of its own, and no gain
        return words("The text is iteration %1 now, %2. The %3 of its check repeat %4.")
            .arg(QString::number(iteration), unexercisedSentence(of->unexercised), timeOf(*of),
                 of->unexercised->iteration > 0 ? words("iteration %1").arg(of->unexercised->iteration)
                                                : words("the text before"));
    QString text = words("The text is iteration %1 now: %2%3.")
                       .arg(QString::number(iteration), timeOf(*of), overEager(*of));
    // A person's own text may have been the faster one: then they hear where it is, and by what, where its
    // time is not the lesser one.
    const BestOf found = bestOf(tree.records);
    if (found.number == iteration ||
        std::find(found.others.begin(), found.others.end(), iteration) != found.others.end()) {
        const QString others = notToldApartText(found);
        return others.isEmpty() ? text : text + QLatin1Char(' ') + others;
    }
    const IterationRecord *best = tree.byNumber(found.number);
    if (best == nullptr || !best->latest || !best->latest->candidate || !best->latest->eager || !of->eager ||
        !areToldApart(*best->latest, *of))
        return text;
    const bool isLonger = best->latest->candidate->medianMicroseconds > of->candidate->medianMicroseconds;
    return text +
           words(" Faster was iteration %1: %2%3%4. «Branch from here» brings it back.")
               .arg(QString::number(found.number), timeOf(*best->latest), overEager(*best->latest),
                    isLonger
                        ? words(", by what eager took in the same check, though its time is the longer one")
                        : QString());
}

} // namespace warpwright
