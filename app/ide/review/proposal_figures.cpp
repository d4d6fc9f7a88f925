// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/proposal_figures.h"

#include "agent/review/prediction_outcome.h"
#include "toolchain/evaluation/said_difference.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("ProposalViews", text);
}

int decimalsFor(double value) {
    return std::abs(value) >= 1000 ? 0 : std::abs(value) >= 10 ? 1 : 2;
}

/// Of an interval around a value: its farther end, as everywhere. Half its width would not reach it.
double spreadOf(const TimeRatio &difference) {
    return std::max(difference.value - difference.low, difference.high - difference.value);
}

/// In the scale's unit, with as many decimals as the larger of value and spread deserves.
TimeScale scaled(TimeScale scale, const TimeRatio &difference) {
    scale.decimals =
        decimalsFor(std::max(std::abs(difference.value), spreadOf(difference)) / scale.unitMicroseconds);
    return scale;
}

QString signedTime(const TimeScale &scale, double microseconds) {
    return signedText(microseconds / scale.unitMicroseconds, scale.decimals);
}

QString spreadText(const TimeScale &scale, const TimeRatio &difference) {
    return QStringLiteral("± %1 %2").arg(scale.number(spreadOf(difference)), scale.unit);
}

/// As a person reads it, so that «−5.4 ± 5.4» is none.
bool holdsZeroAsWritten(const TimeScale &scale, const TimeRatio &difference) {
    const auto written = [&scale](double value) {
        return std::round(std::abs(value) / scale.unitMicroseconds * std::pow(10, scale.decimals));
    };
    return written(difference.value) <= written(spreadOf(difference));
}

/// Only the ratio is sure: the difference would read as none.
bool isFactor(const Evidence &evidence, const TimeScale &unit) {
    return evidence.difference && evidence.ratio && !isNoDifference(evidence) &&
           holdsZeroAsWritten(scaled(unit, *evidence.difference), *evidence.difference);
}

void putFactor(ShownFigure &figure, const TimeRatio &ratio) {
    const FactorText factor = factorText(1 / ratio.value, 1 / ratio.high, 1 / ratio.low);
    figure.value = factor.value;
    figure.spread = factor.interval;
}

} // namespace

TimeScale unitOf(const std::optional<double> &before, const std::optional<double> &after) {
    return timeScaleOf(std::max(before.value_or(0), after.value_or(0)));
}

TimeScale unitOf(const Evidence &evidence) {
    if (!evidence.after.candidate)
        return {};
    const double after = evidence.after.candidate->medianMicroseconds;
    return unitOf(evidence.difference ? std::optional(after - evidence.difference->value) : std::nullopt,
                  after);
}

ShownFigure differenceFigure(const Evidence &evidence, const TimeScale &unit) {
    const TimeRatio &difference = *evidence.difference;
    const TimeScale scale = scaled(unit, difference);
    ShownFigure figure;
    const bool isNoise = isNoDifference(evidence);
    figure.state = isNoise ? ShownFigure::Noise : ShownFigure::Known;
    figure.value = signedTime(scale, difference.value);
    figure.spread = spreadText(scale, difference);
    figure.isSlower = !isNoise && (evidence.ratio ? evidence.ratio->value > 1 : difference.value > 0);
    if (isFactor(evidence, unit))
        putFactor(figure, *evidence.ratio);
    return figure;
}

ShownFigure measuredFigure(const Evidence &evidence, const Prediction &prediction, const TimeScale &unit) {
    ShownFigure figure = figureOf(evidence, false, unit);
    const bool hasNumber = figure.state == ShownFigure::Known || figure.state == ShownFigure::Noise;
    if (hasNumber && evidence.ratio && hasOtherBase(prediction, measuredBefore(evidence)))
        putFactor(figure, *evidence.ratio);
    return figure;
}

ShownFigure timeFigure(TimeScale scale, double microseconds, bool isDifference) {
    scale.decimals = decimalsFor(microseconds / scale.unitMicroseconds);
    ShownFigure figure;
    figure.state = ShownFigure::Known;
    figure.value = isDifference ? signedTime(scale, microseconds) : scale.number(microseconds);
    figure.spread = scale.unit;
    return figure;
}

ShownFigure predictedFigure(const Prediction &prediction, const Evidence *evidence, const TimeScale &unit) {
    if (!prediction.timeRatio)
        return {ShownFigure::None, prediction.words.isEmpty() ? words("nothing") : words("in words"), {}};
    const std::optional<double> before = evidence != nullptr ? measuredBefore(*evidence) : std::nullopt;
    if (before && (isFactor(*evidence, unit) || hasOtherBase(prediction, before))) {
        ShownFigure figure;
        figure.state = ShownFigure::Known;
        figure.value = timesFasterText(*prediction.timeRatio);
        figure.isSlower = *prediction.timeRatio > 1;
        return figure;
    }
    if (before)
        return timeFigure(unit, (*prediction.timeRatio - 1) * *before, true);
    if (const std::optional<double> difference = prediction.differenceMicroseconds())
        return timeFigure(timeScaleOf(*prediction.beforeMicroseconds), *difference, true);
    ShownFigure figure;
    figure.state = ShownFigure::Known;
    figure.value = percentText(*prediction.timeRatio);
    figure.spread = words("of the time");
    return figure;
}

ShownFigure figureOf(const std::optional<Evidence> &evidence, bool isAsked, const TimeScale &unit) {
    ShownFigure figure;
    if (!evidence) {
        figure.state = isAsked ? ShownFigure::Measuring : ShownFigure::None;
        return figure;
    }
    if (const QString why = whyNotTimed(*evidence); !why.isEmpty())
        return {ShownFigure::Failed, why, {}};
    if (!evidence->unexercised.empty())
        figure.state = ShownFigure::Unexercised;
    if (!evidence->difference)
        return figure;
    figure = differenceFigure(*evidence, unit);
    figure.isOneRun = evidence->isOneRun;
    return figure;
}

ShownFigure figureOf(const HunkEvidence &known, const std::optional<Evidence> &evidence,
                     const TimeScale &unit) {
    return known.isUnexercised ? ShownFigure{ShownFigure::Unexercised, {}, {}}
                               : figureOf(evidence, known.isAsked, unit);
}

QString figureWords(const ShownFigure &figure) {
    switch (figure.state) {
    case ShownFigure::None:
        return figure.value.isEmpty() ? words("not measured") : figure.value;
    case ShownFigure::Measuring:
        return figure.spread.isEmpty() ? words("measuring") : words("measuring %1").arg(figure.spread);
    case ShownFigure::Hidden:
        return words("not revealed yet");
    case ShownFigure::Unexercised:
        return words("not exercised on this device");
    case ShownFigure::Failed:
        return figure.value;
    case ShownFigure::Noise:
        return QStringLiteral("≈ %1 %2, ").arg(figure.value, figure.spread) + noDifferenceWords();
    case ShownFigure::Known:
        break;
    }
    return figure.value + (figure.spread.isEmpty() ? QString() : QStringLiteral(" ") + figure.spread);
}

QString tableWords(const ShownFigure &figure) {
    switch (figure.state) {
    case ShownFigure::Known:
        return figure.value + QStringLiteral(" ") + figure.spread;
    case ShownFigure::Noise:
        return QStringLiteral("≈ ") + figure.value + QStringLiteral(" ") + figure.spread;
    case ShownFigure::Measuring:
        return figure.spread.isEmpty() ? words("measuring") : figure.spread;
    case ShownFigure::Hidden:
        return words("hidden");
    case ShownFigure::Unexercised:
        return words("not exercised");
    case ShownFigure::Failed:
        return figure.value;
    case ShownFigure::None:
        return figure.value.isEmpty() ? QStringLiteral("–") : figure.value;
    }
    return {};
}

std::vector<std::pair<QString, QString>> resourcesOf(const Evidence &evidence) {
    std::vector<std::pair<QString, QString>> rows;
    for (const KernelChange &kernel : evidence.kernels) {
        if (!kernel.registersBefore || !kernel.registersAfter)
            continue;
        rows.emplace_back(words("registers/thread"),
                          signedText(*kernel.registersAfter - *kernel.registersBefore));
        if (kernel.sharedBytesBefore && kernel.sharedBytesAfter)
            rows.emplace_back(words("shared memory/block"),
                              signedText(*kernel.sharedBytesAfter - *kernel.sharedBytesBefore) +
                                  QStringLiteral(" B"));
        if (kernel.occupancyBefore && kernel.occupancyAfter)
            rows.emplace_back(words("occupancy"),
                              QStringLiteral("%1 → %2").arg(percentText(*kernel.occupancyBefore),
                                                            percentText(*kernel.occupancyAfter)));
        break;
    }
    return rows;
}

} // namespace warpwright
