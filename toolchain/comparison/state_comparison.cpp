// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/state_comparison.h"

#include "toolchain/comparison/comparison_parts.h"
#include "toolchain/evaluation/trust_badge.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpwright {
namespace {

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

ComparisonHead headOf(const ComparedState &state) {
    ComparisonHead head;
    head.choice = state.choice;
    head.title = state.side.title;
    head.note = state.side.note;
    head.textHash = state.textHash;
    if (state.counters)
        head.counters = state.counters->id;
    if (!state.side.evaluation)
        return head;
    const Evaluation &evaluation = *state.side.evaluation;
    const MeasuredFigures figures = measuredFigures(evaluation);
    head.evaluation = evaluation.id;
    head.device = figures.device.name;
    head.trust = trustBadge(figures).text();
    if (!state.choice.isArm())
        head.verdict = evaluation.verdict;
    if (const ArmFigures *arm = figures.arm(state.arm()); arm != nullptr)
        head.time =
            figures.times.withSpread(arm->medianMicroseconds, arm->lowMicroseconds, arm->highMicroseconds);
    return head;
}

void addNotices(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    const ComparisonHead &one = comparison.left;
    const ComparisonHead &other = comparison.right;
    if (!one.device.isEmpty() && !other.device.isEmpty() && one.device != other.device)
        comparison.notices << QStringLiteral("Two devices: %1 was checked on %2, %3 on %4. No differences of "
                                             "times are said.")
                                  .arg(one.title, one.device, other.title, other.device);
    if (left.counters && right.counters && left.counters->device != right.counters->device)
        comparison.notices << QStringLiteral(
                                  "Two devices: the counters are of %1 and of %2. No differences of "
                                  "counters are said.")
                                  .arg(left.counters->device, right.counters->device);
    const auto check = [&comparison](const ComparedState &state) {
        if (!state.damagedCheck.isEmpty())
            comparison.missing.push_back({MissingPart::Act::None,
                                          QStringLiteral("%1: %2").arg(state.side.title, state.damagedCheck),
                                          {}});
        else if (!state.side.evaluation)
            comparison.missing.push_back({MissingPart::Act::Check,
                                          QStringLiteral("%1 was not checked").arg(state.side.title),
                                          QStringLiteral("wright check %1").arg(state.path)});
    };
    check(left);
    if (left.textHash != right.textHash)
        check(right);
}

int rankOf(State state) {
    switch (state) {
    case State::Differs:
        return 0;
    case State::LeftOnly:
    case State::RightOnly:
        return 1;
    case State::NotComparable:
        return 2;
    case State::Missing:
        return 3;
    case State::Noise:
        return 4;
    case State::Same:
        break;
    }
    return 5;
}

bool keepsOrder(Group group) {
    return group == Group::Verdict || group == Group::Time;
}

// Times keep their order, but none stands above a difference that is not known to be one.
int orderedRank(const ComparisonRow &row) {
    return row.group == Group::Time && rankOf(row.state) >= rankOf(State::Noise) ? rankOf(row.state) : 0;
}

// Kernels keep their order among those with differences, and among those without.
void sortRows(std::vector<ComparisonRow> &rows) {
    std::map<std::pair<Group, QString>, std::pair<bool, int>> kernels; // is without, its number
    for (const ComparisonRow &row : rows) {
        auto &[isWithout, number] =
            kernels.try_emplace({row.group, row.kernel}, true, static_cast<int>(kernels.size()))
                .first->second;
        isWithout = isWithout && !row.isDifference();
    }
    const auto keyOf = [&kernels](const ComparisonRow &row) {
        const auto &[isWithout, number] = kernels.at({row.group, row.kernel});
        const bool isKept = keepsOrder(row.group);
        return std::tuple(row.group, isWithout, number, isKept ? orderedRank(row) : rankOf(row.state),
                          isKept ? 0.0 : -row.distance());
    };
    std::vector<std::pair<decltype(keyOf(rows.front())), std::size_t>> order;
    order.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        order.emplace_back(keyOf(rows[i]), i);
    std::sort(order.begin(), order.end());
    std::vector<ComparisonRow> sorted;
    sorted.reserve(rows.size());
    for (const auto &[key, at] : order)
        sorted.push_back(std::move(rows[at]));
    rows = std::move(sorted);
}

} // namespace

StateComparison compareStates(const ComparedState &left, const ComparedState &right) {
    StateComparison comparison;
    comparison.left = headOf(left);
    comparison.right = headOf(right);
    if (!left.choice.isArm() && !right.choice.isArm())
        comparison.text = compareTexts(left.side.texts, right.side.texts);
    addNotices(comparison, left, right);
    addVerdicts(comparison, left, right);
    addTimes(comparison, left, right);
    addFindings(comparison, left, right);
    addResources(comparison, left, right);
    addCode(comparison, left, right);
    addCounters(comparison, left, right);
    sortRows(comparison.rows);
    return comparison;
}

} // namespace warpwright
