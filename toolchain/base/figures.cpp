// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr QChar minus(0x2212);
constexpr QChar enDash(0x2013);
constexpr QChar noBreakSpace(0x00a0);

/// Digits before the point; 0 for 0.5, -1 for 0.05.
int wholeDigits(double value) {
    return static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
}

int decimalsFor(double value, int digits) {
    if (value == 0 || !std::isfinite(value))
        return 0;
    // Rounding may bring a digit more: 0.9997 is 1.00, not 1.000.
    const double rounded = value * (1 + 0.5 * std::pow(10.0, -digits));
    return std::clamp(digits - wholeDigits(rounded), 0, 6);
}

QString significant(double value, int digits) {
    return numberText(value, decimalsFor(value, digits));
}

double largestSide(double median, double low, double high) {
    return std::max({0.0, median - low, high - median});
}

/// Never rounded to nothing: an uncertainty that is there is shown with at least one step of the last digit.
QString spreadNumber(double half, int decimals) {
    const double step = std::pow(10.0, -decimals);
    return numberText(half > 0 ? std::max(half, step) : 0, decimals);
}

QString plusMinus(const TimeScale &scale, double half) {
    return QStringLiteral("± ") + spreadNumber(half / scale.unitMicroseconds, scale.decimals);
}

/// Whether «±» would say other ends than the interval has, as both are written: one side is half as long
/// again as the other, by more than the last digit and by what is worth a second number (3 % of the time), or
/// a time would reach below zero.
bool isLopsided(const TimeScale &scale, double median, double low, double high) {
    const double step = std::pow(10.0, -scale.decimals) * scale.unitMicroseconds;
    const double middle = std::round(median / step);
    const double below = middle - std::round(low / step);
    const double above = std::round(high / step) - middle;
    const double farther = std::max(below, above);
    const double nearer = std::min(below, above);
    return middle < farther || (farther > 1.5 * nearer && farther - nearer > 1 && farther > 0.03 * middle);
}

} // namespace

QString numberText(double value, int decimals) {
    if (!std::isfinite(value))
        return std::isnan(value) ? QStringLiteral("NaN")
                                 : (value < 0 ? QString(minus) : QString()) + QStringLiteral("∞");
    QString digits = QString::number(std::fabs(value), 'f', decimals);
    const qsizetype point = digits.indexOf(QLatin1Char('.'));
    for (qsizetype at = (point < 0 ? digits.size() : point) - 3; at > 0; at -= 3)
        digits.insert(at, QLatin1Char(','));
    const bool isZero = std::all_of(digits.cbegin(), digits.cend(),
                                    [](QChar c) { return c == QLatin1Char('0') || c == QLatin1Char('.'); });
    return value < 0 && !isZero ? minus + digits : digits;
}

QString signedText(double value, int decimals) {
    const QString text = numberText(value, decimals);
    const bool isZero = text == numberText(0, decimals);
    return value > 0 && !isZero ? QLatin1Char('+') + text : text;
}

QString percentText(double share, int decimals) {
    return numberText(100 * share, decimals) + noBreakSpace + QLatin1Char('%');
}

QString TimeScale::number(double microseconds) const {
    return numberText(microseconds / unitMicroseconds, decimals);
}

QString TimeScale::text(double microseconds) const {
    return number(microseconds) + QLatin1Char(' ') + unit;
}

QString TimeScale::fineText(double microseconds) const {
    TimeScale fine = *this;
    fine.decimals = std::max(decimals, decimalsFor(microseconds / unitMicroseconds, 3));
    return fine.text(microseconds);
}

QString TimeScale::interval(double low, double high) const {
    return number(low) + enDash + number(high);
}

QString TimeScale::spread(double median, double low, double high) const {
    return isLopsided(*this, median, low, high) ? interval(low, high)
                                                : plusMinus(*this, largestSide(median, low, high));
}

QString TimeScale::withSpread(double median, double low, double high) const {
    const QString around = isLopsided(*this, median, low, high)
                               ? QLatin1Char('(') + interval(low, high) + QLatin1Char(')')
                               : spread(median, low, high);
    return number(median) + QLatin1Char(' ') + around + QLatin1Char(' ') + unit;
}

QString TimeScale::difference(double value, double low, double high) const {
    return (isNoise(low, high) ? QStringLiteral("≈ ") : QString()) +
           signedText(value / unitMicroseconds, decimals) + QLatin1Char(' ') +
           plusMinus(*this, largestSide(value, low, high)) + QLatin1Char(' ') + unit;
}

TimeScale timeScaleOf(double median, double low, double high) {
    TimeScale scale;
    const double size = std::fabs(median);
    if (size >= 1e6)
        scale = {1e6, QStringLiteral("s"), 0};
    else if (size >= 1e3)
        scale = {1e3, QStringLiteral("ms"), 0};
    scale.decimals = decimalsFor(size / scale.unitMicroseconds, 4);
    if (const double half = largestSide(median, low, high) / scale.unitMicroseconds; half > 0)
        scale.decimals = std::min(scale.decimals, decimalsFor(half, 2));
    return scale;
}

TimeScale timeScaleOf(double median) {
    return timeScaleOf(median, median, median);
}

QString timeText(double microseconds) {
    return timeScaleOf(microseconds).text(microseconds);
}

QString durationText(double seconds) {
    if (seconds < 9.995)
        return QStringLiteral("%1 s").arg(seconds, 0, 'f', 2);
    if (seconds < 99.95)
        return QStringLiteral("%1 s").arg(seconds, 0, 'f', 1);
    const int whole = static_cast<int>(std::lround(seconds));
    return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

QString factorText(double factor) {
    return factorText(factor, factor, factor).value;
}

FactorText factorText(double factor, double low, double high) {
    int decimals = factor < 10 ? 2 : factor < 100 ? 1 : 0;
    const double half = largestSide(factor, low, high);
    // One more where the interval would shrink to nothing.
    if (half > 0 && half < 0.75 * std::pow(10.0, -decimals))
        ++decimals;
    return {numberText(factor, decimals) + QStringLiteral("×"),
            numberText(low, decimals) + enDash + numberText(high, decimals)};
}

QString bytesText(double bytes) {
    if (bytes < 1024)
        return QStringLiteral("%1 B").arg(bytes, 0, 'f', 0);
    const char *names[] = {"KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double value = bytes / 1024;
    while (value >= 1024 && unit < 3) {
        value /= 1024;
        ++unit;
    }
    return QStringLiteral("%1 %2").arg(significant(value, 3), QLatin1String(names[unit]));
}

QString scaledText(double value, const QString &unit) {
    const char *prefixes[] = {"", "k", "M", "G", "T", "P"};
    int prefix = 0;
    // 999.6 would be written "1,000".
    while (std::fabs(value) >= 999.5 && prefix < 5) {
        value /= 1000;
        ++prefix;
    }
    const QString scaled = QLatin1String(prefixes[prefix]) + unit;
    const double rounded = std::round(value);
    const bool isWhole = prefix == 0 && std::fabs(value - rounded) < 1e-9;
    const QString number = isWhole ? numberText(value) : significant(value, 3);
    return scaled.isEmpty() ? number : number + QLatin1Char(' ') + scaled;
}

QString countText(qsizetype count, const QString &singular) {
    return numberText(static_cast<double>(count)) + QLatin1Char(' ') + singular +
           (count == 1 ? QString() : QStringLiteral("s"));
}

} // namespace warpwright
