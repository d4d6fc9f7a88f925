// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/state_comparison.h"

#include "toolchain/base/figures.h"
#include "toolchain/comparison/comparison_parts.h"
#include "toolchain/evaluation/said_difference.h"
#include "toolchain/evaluation/trust_badge.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
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

QString exact(const std::optional<double> &value, const QString &unit, const QString &text) {
    if (!value)
        return text.isEmpty() ? QStringLiteral("none") : text;
    const QString number = QString::number(*value, 'g', QLocale::FloatingPointShortest);
    return unit.isEmpty() ? number : number + QLatin1Char(' ') + unit;
}

} // namespace

double ComparisonRow::distance() const {
    if (!leftValue && !rightValue)
        return 0;
    if (!leftValue || !rightValue || *leftValue == 0 || *rightValue == 0)
        return leftValue == rightValue ? 0 : std::numeric_limits<double>::infinity();
    return std::abs(std::log(std::abs(*rightValue / *leftValue)));
}

QString ComparisonRow::differenceWords() const {
    return difference.isEmpty() || state == State::Noise ? stateWord(state) : difference;
}

QString ComparisonRow::remarkWords() const {
    if (state != State::Noise || difference.isEmpty())
        return remark;
    const QChar about(0x2248);
    const QString numbers = difference.contains(about) ? difference : about + QLatin1Char(' ') + difference;
    return remark.isEmpty() ? numbers : QStringLiteral("%1: %2").arg(numbers, remark);
}

QString ComparisonRow::toolTip() const {
    QStringList lines{kernel.isEmpty() ? name : QStringLiteral("%1, %2").arg(kernel, name)};
    if (!help.isEmpty())
        lines << help;
    lines << QStringLiteral("left: %1").arg(exact(leftValue, unit, left))
          << QStringLiteral("right: %1").arg(exact(rightValue, unit, right));
    if (!difference.isEmpty())
        lines << QStringLiteral("%1: %2").arg(
            state == State::Noise ? noDifferenceWords() : QStringLiteral("difference"), difference);
    if (!remark.isEmpty())
        lines << remark;
    if (!source.isEmpty())
        lines << QStringLiteral("from: %1").arg(source);
    return lines.join(QLatin1Char('\n'));
}

QString MissingPart::text() const {
    return command.isEmpty() ? what : QStringLiteral("%1: %2").arg(what, command);
}

int StateComparison::count(ComparisonRow::State state) const {
    return static_cast<int>(std::count_if(rows.begin(), rows.end(),
                                          [state](const ComparisonRow &row) { return row.state == state; }));
}

int StateComparison::differences() const {
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [](const ComparisonRow &row) { return row.isDifference(); }));
}

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

QString groupName(ComparisonRow::Group group) {
    switch (group) {
    case Group::Verdict:
        return QStringLiteral("Verdict");
    case Group::Time:
        return QStringLiteral("Time");
    case Group::Findings:
        return QStringLiteral("Findings");
    case Group::Resources:
        return QStringLiteral("Resources");
    case Group::Code:
        return QStringLiteral("SASS");
    case Group::Counters:
        break;
    }
    return QStringLiteral("Counters");
}

QString stateWord(ComparisonRow::State state) {
    switch (state) {
    case State::Differs:
        return QStringLiteral("differs");
    case State::LeftOnly:
        return QStringLiteral("only left");
    case State::RightOnly:
        return QStringLiteral("only right");
    case State::NotComparable:
        return QStringLiteral("not comparable");
    case State::Noise:
        return noDifferenceWords();
    case State::Missing:
        return QStringLiteral("not collected");
    case State::Same:
        break;
    }
    return QStringLiteral("same");
}

std::vector<KernelPair> pairKernels(const QStringList &left, const QStringList &right, bool byRank) {
    std::vector<KernelPair> pairs;
    std::vector<bool> isTaken(static_cast<std::size_t>(left.size()), false);
    for (qsizetype i = 0; i < right.size(); ++i) {
        KernelPair pair{-1, static_cast<int>(i)};
        for (qsizetype j = 0; j < left.size() && pair.left < 0; ++j)
            if (!isTaken[static_cast<std::size_t>(j)] && left[j] == right[i])
                pair.left = static_cast<int>(j);
        if (pair.left >= 0)
            isTaken[static_cast<std::size_t>(pair.left)] = true;
        pairs.push_back(pair);
    }
    for (KernelPair &pair : pairs)
        for (qsizetype j = 0; byRank && pair.left < 0 && j < left.size(); ++j)
            if (!isTaken[static_cast<std::size_t>(j)]) {
                isTaken[static_cast<std::size_t>(j)] = true;
                pair.left = static_cast<int>(j);
            }
    for (std::size_t j = 0; j < isTaken.size(); ++j)
        if (!isTaken[j])
            pairs.push_back({static_cast<int>(j), -1});
    return pairs;
}

QString pairName(const QString &left, const QString &right) {
    if (left.isEmpty() || right.isEmpty() || left == right)
        return right.isEmpty() ? left : right;
    return QStringLiteral("%1 → %2").arg(left, right);
}

void setCounts(ComparisonRow &row, const std::optional<double> &left, const std::optional<double> &right,
               const QString &unit) {
    const QString behind = unit.isEmpty() ? QString() : QLatin1Char(' ') + unit;
    row.leftValue = left;
    row.rightValue = right;
    row.unit = unit;
    if (left)
        row.left = numberText(*left) + behind;
    if (right)
        row.right = numberText(*right) + behind;
    if (left && right) {
        row.state = *left == *right ? ComparisonRow::State::Same : ComparisonRow::State::Differs;
        row.difference = *left == *right ? QString() : signedText(*right - *left) + behind;
    } else {
        row.state = left    ? ComparisonRow::State::LeftOnly
                    : right ? ComparisonRow::State::RightOnly
                            : ComparisonRow::State::Missing;
    }
}

} // namespace warpwright
