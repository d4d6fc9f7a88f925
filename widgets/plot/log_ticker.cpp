// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_ticker.h"

#include <cmath>
#include <initializer_list>

namespace warpwright {
namespace {

QVector<double> ticksOf(const QCPRange &range, std::initializer_list<double> digits) {
    QVector<double> ticks;
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    for (int power = static_cast<int>(std::floor(std::log10(range.lower))); power <= last; ++power)
        for (const double digit : digits)
            if (const double tick = digit * std::pow(10, power); tick >= range.lower && tick <= range.upper)
                ticks << tick;
    return ticks;
}

} // namespace

QVector<double> LogTicker::ticksIn(const QCPRange &range, int most) {
    if (!(range.lower > 0) || !(range.upper > range.lower))
        return {};
    const QVector<double> all = ticksOf(range, {1, 2, 5});
    if (all.size() <= most)
        return all;
    const QVector<double> some = ticksOf(range, {1, 3});
    const QVector<double> powers = ticksOf(range, {1});
    return some.size() <= most || powers.size() < 2 ? some : powers;
}

QVector<double> LogTicker::createTickVector(double step, const QCPRange &range) {
    const QVector<double> ticks = ticksIn(range, tickCount() + 2);
    return ticks.size() < 2 ? QCPAxisTicker::createTickVector(step, range) : ticks;
}

} // namespace warpwright
