// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/iteration_comparison.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"

#include <algorithm>
#include <tuple>

namespace warpwright {
namespace {

ComparedSide sideOf(const QString &stateFolder, const IterationRecord &record, CandidateTexts texts) {
    ComparedSide side;
    side.title = QStringLiteral("Iteration %1").arg(record.iteration.number);
    side.note = record.iteration.note;
    side.texts = std::move(texts);
    if (!record.evaluations.isEmpty())
        if (Result<Evaluation> read = EvaluationStore(stateFolder).load(record.evaluations.back());
            read.hasValue())
            side.evaluation = std::move(read).value();
    return side;
}

void compareSides(IterationComparison &comparison) {
    comparison.text = compareTexts(comparison.leftSide.texts, comparison.rightSide.texts);
    comparison.metrics = comparedMetrics(comparison.leftSide, comparison.rightSide);
    if (comparison.left.latest && comparison.right.latest)
        comparison.ratio = timeRatio(*comparison.left.latest, *comparison.right.latest);
}

int commonAncestor(const RunIterations &run, int left, int right) {
    // A parent has the smaller number; anything else was not written by us and would not end.
    while (left != right) {
        int &later = left > right ? left : right;
        const IterationRecord *record = run.record(later);
        const int parent = record == nullptr ? 0 : record->iteration.parent;
        if (parent <= 0 || parent >= later)
            return 0;
        later = parent;
    }
    return left;
}

} // namespace

std::optional<ComparedMetric> ratioMetric(const ComparedSide &left, const ComparedSide &right) {
    if (!left.evaluation || !right.evaluation || left.isStale || right.isStale)
        return std::nullopt;
    const EvaluationSummary before = summaryOf(*left.evaluation);
    const EvaluationSummary after = summaryOf(*right.evaluation);
    const std::optional<TimeRatio> ratio = timeRatio(before, after);
    if (!ratio)
        return std::nullopt;
    const QString interval = percentText(ratio->low) + QStringLiteral(" to ") + percentText(ratio->high);
    ComparedMetric metric{QStringLiteral("Right takes"), interval, interval, {}, {}, false};
    if (movedBaseline(before, after)) {
        metric.remark = whyNoDifference(before, after);
        return metric;
    }
    metric.isNoise = ratio->isNoise();
    metric.delta = (metric.isNoise ? QStringLiteral("≈ ") : QString()) + percentText(ratio->value) +
                   QStringLiteral(" of left's time");
    metric.remark = wayText(ratio->way);
    return metric;
}

Result<IterationComparison> compareIterations(const QString &stateFolder, int left, int right) {
    using Answer = Result<IterationComparison>;
    const IterationStore store(stateFolder);
    const Result<std::vector<IterationRecord>> records = store.records({left, right});
    if (!records.hasValue())
        return Answer::error(records.message());
    IterationComparison comparison;
    for (const auto &[number, record] :
         {std::pair(left, &comparison.left), std::pair(right, &comparison.right)}) {
        const auto found = std::find_if(
            records.value().begin(), records.value().end(),
            [wanted = number](const IterationRecord &one) { return one.iteration.number == wanted; });
        if (found == records.value().end())
            return Answer::error(
                QStringLiteral("There is no iteration %1 in the history \"%2\": wright log lists "
                               "those there are.")
                    .arg(number)
                    .arg(store.folder()));
        *record = *found;
    }
    Result<CandidateTexts> before = store.texts(left);
    Result<CandidateTexts> after = store.texts(right);
    if (!before.hasValue() || !after.hasValue())
        return Answer::error(before.hasValue() ? after.message() : before.message());
    comparison.leftSide = sideOf(stateFolder, comparison.left, std::move(before).value());
    comparison.rightSide = sideOf(stateFolder, comparison.right, std::move(after).value());
    comparison.ancestor = store.commonAncestor(left, right);
    compareSides(comparison);
    return Answer::ok(std::move(comparison));
}

Result<IterationComparison> compareRunIterations(const RunIterations &run, const QString &stateFolder,
                                                 int left, int right) {
    using Answer = Result<IterationComparison>;
    IterationComparison comparison;
    for (const auto &[number, record, side] : {std::tuple(left, &comparison.left, &comparison.leftSide),
                                               std::tuple(right, &comparison.right, &comparison.rightSide)}) {
        const IterationRecord *found = run.record(number);
        const auto texts = run.texts.find(number);
        if (found == nullptr || texts == run.texts.end())
            return Answer::error(QStringLiteral("The run has no iteration %1.").arg(number));
        *record = *found;
        *side = sideOf(stateFolder, *found, texts->second);
    }
    comparison.ancestor = commonAncestor(run, left, right);
    compareSides(comparison);
    return Answer::ok(std::move(comparison));
}

} // namespace warpwright
