// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/unexercised.h"

#include <algorithm>

namespace warpwright {
namespace {

/// It says something of code that ran, which another text with the same code shares. `rejected` may be for
/// what was read in a file that never ran.
bool isOfCodeThatRan(Verdict verdict) {
    return verdict == Verdict::Pass || verdict == Verdict::Wrong || verdict == Verdict::RunFailed ||
           verdict == Verdict::Impossible;
}

/// Nothing was found against it.
bool isGood(Verdict verdict) {
    return verdict == Verdict::Pass || verdict == Verdict::Inconclusive;
}

std::optional<Unexercised> unexercisedAgainst(const EvaluationSummary &summary, const CheckedParent &parent) {
    Unexercised found;
    found.files = unexercisedFiles(parent.summary, summary);
    if (found.files.empty())
        return std::nullopt;
    found.iteration = parent.iteration;
    found.evaluation = parent.summary.id;
    found.measuredVerdict = summary.verdict;
    found.measuredReward = summary.reward;
    const bool wasAskedAsMuch =
        parent.summary.tier >= summary.tier && parent.summary.lastStage >= summary.lastStage;
    found.isKept = wasAskedAsMuch && isOfCodeThatRan(parent.summary.verdict) && isGood(summary.verdict);
    return found;
}

QString parentName(const CheckedParent &parent) {
    return parent.iteration > 0 ? QStringLiteral("iteration %1").arg(parent.iteration)
                                : QStringLiteral("the text before");
}

} // namespace

ExercisedFiles unexercisedFiles(const EvaluationSummary &before, const EvaluationSummary &after) {
    if (after.ranHash.isEmpty() || before.ranHash != after.ranHash || before.textHash == after.textHash ||
        !whyNotComparable(before, after).isEmpty())
        return {};
    ExercisedFiles files;
    const auto addMissing = [&files](const ExercisedFiles &some, const ExercisedFiles &others) {
        for (const ExercisedFile &one : some) {
            const auto isSame = [&one](const ExercisedFile &other) {
                return other.file == one.file && other.hash == one.hash;
            };
            const auto isNamed = [&one](const ExercisedFile &other) {
                return other.file == one.file;
            };
            if (std::none_of(others.begin(), others.end(), isSame) &&
                std::none_of(files.begin(), files.end(), isNamed))
                files.push_back(one);
        }
    };
    addMissing(after.notRun, before.notRun);
    addMissing(before.notRun, after.notRun); // deleted since
    return files;
}

QString unexercisedSentence(const std::optional<Unexercised> &unexercised) {
    return unexercised ? QStringLiteral("not exercised: ") + notRunSentence(unexercised->files) : QString();
}

void holdAgainst(EvaluationSummary &summary, const CheckedParent &parent) {
    summary.unexercised = unexercisedAgainst(summary, parent);
    if (!summary.unexercised || !summary.unexercised->isKept)
        return;
    summary.verdict = parent.summary.verdict;
    summary.reward = parent.summary.reward;
}

void holdAgainst(Evaluation &evaluation, const CheckedParent &parent) {
    EvaluationSummary summary = summaryOf(evaluation);
    holdAgainst(summary, parent);
    evaluation.unexercised = summary.unexercised;
    if (!summary.unexercised || !summary.unexercised->isKept)
        return;
    evaluation.verdict = summary.verdict;
    evaluation.reward = summary.reward;
    if (summary.verdict == Verdict::Pass) {
        evaluation.message = {};
    } else {
        evaluation.message.what =
            QStringLiteral("The verdict %1 is kept from").arg(verdictName(summary.verdict));
        evaluation.message.thing = parentName(parent);
        evaluation.message.why = QStringLiteral("the code that ran is the same");
        evaluation.message.advice =
            QStringLiteral("Change what runs on this device, or check on another one.");
        evaluation.message.detail.clear();
    }
}

Verdict measuredVerdict(const Evaluation &evaluation) {
    return evaluation.unexercised ? evaluation.unexercised->measuredVerdict : evaluation.verdict;
}

} // namespace warpwright
