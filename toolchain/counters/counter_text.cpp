// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counter_text.h"

#include "toolchain/base/figures.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace warpwright {

QString counterText(double value, const QString &unit) {
    if (unit == QLatin1String("ns"))
        return timeText(value / 1000);
    if (unit == QLatin1String("us"))
        return timeText(value);
    if (unit == QLatin1String("byte"))
        return scaledText(value, QStringLiteral("B"));
    if (unit == QLatin1String("byte/s"))
        return scaledText(value, QStringLiteral("B/s"));
    if (unit == QLatin1String("hz"))
        return scaledText(value, QStringLiteral("Hz"));
    if (unit == QLatin1String("%"))
        return percentText(value / 100);
    if (unit == QLatin1String("byte/block"))
        return bytesText(value);
    if (unit.startsWith(QLatin1String("%/"))) // thousands of a percent a byte are nobody's number
        return QString::number(value, 'g', 4) + QChar(0xa0) + unit;
    const QString number = scaledText(value, QString());
    return unit.isEmpty() ? number : number + QLatin1Char(' ') + unit;
}

QString exactText(const CounterValue &value) {
    if (!value.number)
        return value.text.isEmpty() ? QStringLiteral("no value") : value.text;
    const QString number = QString::number(*value.number, 'g', QLocale::FloatingPointShortest);
    return value.unit.isEmpty() ? number : number + QLatin1Char(' ') + value.unit;
}

QString metricWords(const QString &metric) {
    QString words = metric.section(QLatin1Char('.'), 0, 0);
    words.replace(QLatin1String("__"), QLatin1String(" ")).replace(QLatin1Char('_'), QLatin1Char(' '));
    return words;
}

QString CounterChange::text() const {
    if (!share)
        return QStringLiteral("was 0");
    if (*share == 0)
        return QStringLiteral("same");
    const double percent = 100 * *share;
    const QString sign = isNoise ? QStringLiteral("\u2248 ") : QString();
    // A factor is easier to read than thousands of percent.
    if (percent >= 1000)
        return sign + QStringLiteral("× ") + numberText(1 + *share, percent < 10000 ? 1 : 0);
    if (std::abs(percent) < 0.05)
        return sign + QStringLiteral("\u00b1 0.0\u00a0%");
    return sign + signedText(percent, 1) + QStringLiteral("\u00a0%");
}

std::optional<CounterRange> rangeOf(const Counters &counters, const KernelCounters &kernel,
                                    const CounterReading &read) {
    const std::optional<double> own = read(kernel);
    if (!own)
        return {};
    CounterRange range{*own, *own, 1};
    for (const KernelCounters &other : counters.kernels) {
        if (&other == &kernel || other.arm != kernel.arm || other.name != kernel.name ||
            other.grid != kernel.grid || other.block != kernel.block)
            continue;
        if (const std::optional<double> number = read(other)) {
            range.low = std::min(range.low, *number);
            range.high = std::max(range.high, *number);
            ++range.launches;
        }
    }
    return range;
}

CounterChange changeOf(double now, double before, const std::optional<CounterRange> &nowRange,
                       const std::optional<CounterRange> &beforeRange) {
    CounterChange change;
    if (before != 0)
        change.share = (now - before) / std::abs(before);
    else if (now == 0)
        change.share = 0;
    change.isNoise = nowRange && beforeRange && nowRange->launches > 1 && beforeRange->launches > 1 &&
                     nowRange->low <= beforeRange->high && beforeRange->low <= nowRange->high;
    return change;
}

} // namespace warpwright
