// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/comparison/comparison_parts.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/evaluation/said_difference.h"
#include "toolchain/evaluation/time_ratio.h"
#include "toolchain/history/iteration_words.h"

#include <algorithm>

namespace warpwright {
namespace {

using State = ComparisonRow::State;

QString callName() {
    return QStringLiteral("Call");
}

ComparisonRow rowOf(ComparisonRow::Group group, const QString &name) {
    ComparisonRow row;
    row.group = group;
    row.name = name;
    return row;
}

void addWords(StateComparison &comparison, const QString &name, const QString &left, const QString &right,
              const QString &source) {
    if (left.isEmpty() && right.isEmpty())
        return;
    ComparisonRow row = rowOf(ComparisonRow::Group::Verdict, name);
    row.left = left;
    row.right = right;
    row.source = source;
    row.state = left == right                       ? State::Same
                : left.isEmpty() || right.isEmpty() ? State::Missing
                                                    : State::Differs;
    comparison.rows.push_back(row);
}

QString verdictOf(const ComparedState &state) {
    if (state.choice.isArm())
        return QStringLiteral("baseline");
    if (!state.side.evaluation)
        return QStringLiteral("not checked");
    const QString word = verdictWord(summaryOf(*state.side.evaluation));
    return state.side.isStale ? QStringLiteral("stale, was %1").arg(word) : word;
}

/// Both sides of one time, in one lane: call by call, or as one CUDA graph.
struct TimePair {
    const ArmFigures *left = nullptr;
    const ArmFigures *right = nullptr;
    QString whyNot;
    bool isOneCheck = false;
    std::optional<SpeedUp> ratio; ///< of one check: left's time over right's with its interval
    TimeScale leftScale;          ///< as the check of that side writes its times everywhere
    TimeScale rightScale;
};

void addTime(StateComparison &comparison, const QString &name, const TimePair &pair, const QString &help) {
    if (pair.left == nullptr && pair.right == nullptr)
        return;
    ComparisonRow row = rowOf(ComparisonRow::Group::Time, name);
    row.help = help;
    row.unit = QStringLiteral("µs");
    row.source = pair.isOneCheck ? QStringLiteral("both timed in turn in one check")
                                 : QStringLiteral("each timed in a check of its own");
    const ArmFigures *finer = pair.left == nullptr ? pair.right : pair.left;
    if (pair.left != nullptr && pair.right != nullptr &&
        pair.right->medianMicroseconds < pair.left->medianMicroseconds)
        finer = pair.right;
    const TimeScale scale =
        timeScaleOf(finer->medianMicroseconds, finer->lowMicroseconds, finer->highMicroseconds);
    QStringList remarks;
    const auto write = [&](const ArmFigures *arm, const TimeScale &own, QString &text,
                           std::optional<double> &value) {
        if (arm == nullptr)
            return;
        text = own.withSpread(arm->medianMicroseconds, arm->lowMicroseconds, arm->highMicroseconds);
        value = arm->medianMicroseconds;
        if (const QString stored = arm->storedText(); !stored.isEmpty())
            remarks << QStringLiteral("%1: %2").arg(arm->label, stored);
    };
    write(pair.left, pair.leftScale, row.left, row.leftValue);
    write(pair.right, pair.rightScale, row.right, row.rightValue);
    if (pair.left == nullptr || pair.right == nullptr) {
        row.state = State::Missing;
        remarks.prepend(QStringLiteral("one side was not measured"));
    } else if (!pair.whyNot.isEmpty()) {
        row.state = State::NotComparable;
        remarks.prepend(pair.whyNot);
    } else {
        const SaidDifference said = saidDifference(scale, *pair.left, *pair.right, pair.ratio);
        row.difference = said.text;
        row.state = said.isNoise ? State::Noise : State::Differs;
        if (said.isNoise)
            remarks.prepend(pair.ratio ? QStringLiteral("the interval of the ratio holds 1")
                            : isNoise(pair.right->lowMicroseconds - pair.left->highMicroseconds,
                                      pair.right->highMicroseconds - pair.left->lowMicroseconds)
                                ? QStringLiteral("the intervals meet")
                                : QStringLiteral("± its farther end, it holds 0"));
        if (pair.ratio) {
            const QString factor = factorText(pair.ratio->value, pair.ratio->low, pair.ratio->high).both();
            if (factor != row.difference)
                remarks.prepend(factor);
        }
    }
    const auto precision = [](const ArmFigures *arm) {
        return arm == nullptr ? QString() : arm->precision;
    };
    if (precision(pair.left) != precision(pair.right) && pair.left != nullptr && pair.right != nullptr)
        remarks << QStringLiteral("%1 against %2").arg(precision(pair.left), precision(pair.right));
    row.remark = remarks.join(QStringLiteral("; "));
    comparison.rows.push_back(row);
}

/// How a ratio is written: "1.93× 1.90–1.96", or "82.2 % 22.8–120.1" with its differences in points.
enum class RatioForm { Factor, Percent };

QString ratioWords(const SpeedUp &ratio, RatioForm form) {
    if (form == RatioForm::Factor)
        return factorText(ratio.value, ratio.low, ratio.high).both();
    return QStringLiteral("%1 %2–%3")
        .arg(percentText(ratio.value), numberText(100 * ratio.low, 1), numberText(100 * ratio.high, 1));
}

// `whyNoise`: it is, whatever its interval says; empty: that decides.
void addRatios(StateComparison &comparison, const QString &name, RatioForm form,
               const std::optional<SpeedUp> &left, const std::optional<SpeedUp> &right, const QString &whyNot,
               const QString &whyNoise = {}) {
    if (!left && !right)
        return;
    ComparisonRow row = rowOf(ComparisonRow::Group::Time, name);
    const double perOne = form == RatioForm::Percent ? 100 : 1;
    row.unit = form == RatioForm::Percent ? QStringLiteral("%") : QStringLiteral("×");
    row.source = QStringLiteral("measured side by side in each check");
    if (left) {
        row.left = ratioWords(*left, form);
        row.leftValue = perOne * left->value;
    }
    if (right) {
        row.right = ratioWords(*right, form);
        row.rightValue = perOne * right->value;
    }
    if (!left || !right) {
        row.state = State::Missing;
        row.remark = QStringLiteral("one side was not measured");
    } else if (!whyNot.isEmpty()) {
        row.state = State::NotComparable;
        row.remark = whyNot;
    } else {
        const bool meets = isNoise(right->low - left->high, right->high - left->low);
        const bool overlaps = meets || !whyNoise.isEmpty();
        row.state = overlaps ? State::Noise : State::Differs;
        const double difference = perOne * (right->value - left->value);
        row.difference = (overlaps ? QStringLiteral("≈ ") : QString()) +
                         (form == RatioForm::Percent ? signedText(difference, 1) + QStringLiteral(" points")
                                                     : signedText(difference, 2) + QStringLiteral("×"));
        if (overlaps)
            row.remark = meets ? QStringLiteral("the intervals meet") : whyNoise;
    }
    comparison.rows.push_back(row);
}

/// Shares of two ceilings are no two numbers of one kind. Empty: they are of one, within a twentieth.
QString whyLightMoved(const MeasuredFigures &before, const MeasuredFigures &after) {
    const auto &one = before.speedOfLightMicroseconds;
    const auto &other = after.speedOfLightMicroseconds;
    if (!one || !other || std::max(*one, *other) <= 1.05 * std::min(*one, *other))
        return {};
    return QStringLiteral("the speed of light was measured anew: %1, then %2")
        .arg(timeText(*one), timeText(*other));
}

// In the words of a prediction, by the best way that there is.
void addRatio(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    const EvaluationSummary before = summaryOf(*left.side.evaluation);
    const EvaluationSummary after = summaryOf(*right.side.evaluation);
    const auto ratio = timeRatio(before, after);
    if (!ratio)
        return;
    ComparisonRow row = rowOf(ComparisonRow::Group::Time, QStringLiteral("Time, right of left"));
    row.left = percentText(1);
    row.right = percentText(ratio->value);
    row.leftValue = 1;
    row.rightValue = ratio->value;
    row.source = wayText(ratio->way);
    if (const auto moved = movedBaseline(before, after)) {
        comparison.notices << movedBaselineText(*moved, ratio->value);
        row.state = State::NotComparable;
        row.remark = whyNoDifference(before, after);
        comparison.rows.push_back(row);
        return;
    }
    row.difference = QStringLiteral("%1 to %2").arg(percentText(ratio->low), percentText(ratio->high));
    row.state = ratio->isNoise() ? State::Noise : State::Differs;
    if (row.state == State::Noise)
        row.remark = ratio->holdsOne() ? QStringLiteral("the interval holds 100 %") : noCallDifferenceWords();
    comparison.rows.push_back(row);
}

const ArmFigures *armOf(const std::vector<ArmFigures> &arms, const QString &name) {
    const auto found =
        std::find_if(arms.begin(), arms.end(), [&name](const ArmFigures &arm) { return arm.name == name; });
    return found == arms.end() ? nullptr : &*found;
}

std::optional<SpeedUp> graphSpeedUp(const GraphFigures &graph, const QString &arm) {
    for (const std::optional<SpeedUp> &one : {graph.eager, graph.compile, graph.sameClass})
        if (one && one->arm == arm)
            return one;
    return std::nullopt;
}

// Two hashes tell nobody what was changed.
void addText(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    addWords(comparison, QStringLiteral("Text"), left.textHash.left(8), right.textHash.left(8),
             QStringLiteral("SHA-256 over names and bytes"));
    ComparisonRow &row = comparison.rows.back();
    if (row.name == QLatin1String("Text") && row.state == State::Differs)
        row.difference = changeNote(comparison.text);
}

} // namespace

void addVerdicts(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    ComparisonRow row = rowOf(ComparisonRow::Group::Verdict, QStringLiteral("Verdict"));
    row.left = verdictOf(left);
    row.right = verdictOf(right);
    row.source = QStringLiteral("the last check of each text");
    if (left.choice.isArm() || right.choice.isArm())
        row.state = State::NotComparable;
    else if (!left.side.evaluation || !right.side.evaluation)
        row.state = State::Missing;
    else
        row.state = row.left == row.right ? State::Same : State::Differs;
    comparison.rows.push_back(row);
    if (!left.choice.isArm() && !right.choice.isArm())
        addText(comparison, left, right);
    if (!left.side.evaluation || !right.side.evaluation ||
        left.side.evaluation->id == right.side.evaluation->id)
        return;
    const auto words = [&](const QString &name, const auto &read, const char *source) {
        addWords(comparison, name, read(left), read(right), QLatin1String(source));
    };
    words(
        QStringLiteral("Trust"),
        [&comparison, &left](const ComparedState &state) {
            return &state == &left ? comparison.left.trust : comparison.right.trust;
        },
        "profile of the check");
    words(
        QStringLiteral("Precision"),
        [](const ComparedState &state) { return state.side.evaluation->precisionMeasured; },
        "verify of the check");
    words(
        QStringLiteral("Device"),
        [](const ComparedState &state) { return stringIn(state.side.evaluation->device, "name"); }, "check");
    words(
        QStringLiteral("Software"),
        [](const ComparedState &state) { return summaryOf(*state.side.evaluation).software; }, "check");
}

void addTimes(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    const auto figuresOf = [](const ComparedState &state) {
        return state.side.evaluation ? measuredFigures(*state.side.evaluation) : MeasuredFigures();
    };
    const MeasuredFigures before = figuresOf(left);
    const MeasuredFigures after = figuresOf(right);
    const bool isOneCheck = !before.id.isEmpty() && before.id == after.id;
    const bool hasArm = left.choice.isArm() || right.choice.isArm();
    TimePair calls{before.arm(left.arm()),
                   after.arm(right.arm()),
                   whyTimesDoNotCompare(left.side, right.side),
                   isOneCheck,
                   std::nullopt,
                   before.times,
                   after.times};
    TimePair graph{armOf(before.graph.arms, left.arm()),
                   armOf(after.graph.arms, right.arm()),
                   calls.whyNot,
                   isOneCheck,
                   std::nullopt,
                   asGraph(before).times,
                   asGraph(after).times};
    if (isOneCheck && left.choice.isArm() != right.choice.isArm()) {
        const QString arm = left.choice.isArm() ? left.arm() : right.arm();
        calls.ratio = ratioOf(after.speedUpOver(arm), left.choice.isArm());
        graph.ratio = ratioOf(graphSpeedUp(after.graph, arm), left.choice.isArm());
    }
    addTime(comparison, callName(), calls, QStringLiteral("median of a call, 95 % interval"));
    addTime(comparison, QStringLiteral("Call in a CUDA graph"), graph,
            QStringLiteral("what is left when the processor sets no pace"));
    if (hasArm)
        return;
    const bool isCallNoise =
        std::any_of(comparison.rows.begin(), comparison.rows.end(), [](const ComparisonRow &row) {
            return row.group == ComparisonRow::Group::Time && row.name == callName() &&
                   row.state == State::Noise;
        });
    if (left.side.evaluation && right.side.evaluation && !left.side.isStale && !right.side.isStale)
        addRatio(comparison, left, right);
    for (const QString &arm : comparableArms())
        addRatios(comparison, QStringLiteral("Speed-up over %1").arg(armLabel(arm)), RatioForm::Factor,
                  before.speedUpOver(arm), after.speedUpOver(arm), calls.whyNot,
                  isCallNoise ? whyOnlyBaselineMoved(before.arm(arm), after.arm(arm)) : QString());
    const auto light = [](const MeasuredFigures &figures) -> std::optional<SpeedUp> {
        const auto share = figures.shareOfLight();
        return share ? std::optional(SpeedUp{share->value, share->low, share->high, {}}) : std::nullopt;
    };
    addRatios(comparison, QStringLiteral("Of the speed of light"), RatioForm::Percent, light(before),
              light(after), calls.whyNot.isEmpty() ? whyLightMoved(before, after) : calls.whyNot,
              isCallNoise ? noCallDifferenceWords() : QString());
    if (isOneCheck)
        return;
    for (const QString &arm : comparableArms())
        addTime(
            comparison, QStringLiteral("%1, beside it").arg(armLabel(arm)),
            {before.arm(arm), after.arm(arm), calls.whyNot, false, std::nullopt, before.times, after.times},
            QStringLiteral("the same code in both checks: how far the machine itself moved"));
}

} // namespace warpwright
