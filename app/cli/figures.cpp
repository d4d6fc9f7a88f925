// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figures.h"

#include <cmath>

namespace warpwright {
namespace {

struct Unit {
    double size = 1;
    const char *name = "";
};

QString significant(double value, int digits) {
    if (value == 0 || !std::isfinite(value))
        return QString::number(value);
    const int whole = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
    return QString::number(value, 'f', std::clamp(digits - whole, 0, 6));
}

Unit timeUnit(double microseconds) {
    if (microseconds >= 1e6)
        return {1e6, "s"};
    if (microseconds >= 1e3)
        return {1e3, "ms"};
    return {1, "µs"};
}

QString inUnit(double value, const Unit &unit) {
    return QStringLiteral("%1 %2").arg(significant(value / unit.size, 4), QString::fromUtf8(unit.name));
}

} // namespace

QString timeText(double microseconds) {
    return inUnit(microseconds, timeUnit(microseconds));
}

QString timeText(double microseconds, double like) {
    return inUnit(microseconds, timeUnit(like));
}

QString intervalText(double lowMicroseconds, double highMicroseconds) {
    const Unit unit = timeUnit(lowMicroseconds);
    return QStringLiteral("%1 … %2").arg(significant(lowMicroseconds / unit.size, 4),
                                         inUnit(highMicroseconds, unit));
}

QString durationText(double seconds) {
    if (seconds < 9.995)
        return QStringLiteral("%1 s").arg(seconds, 0, 'f', 2);
    if (seconds < 99.95)
        return QStringLiteral("%1 s").arg(seconds, 0, 'f', 1);
    const int whole = static_cast<int>(std::lround(seconds));
    return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
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

QString factorText(double factor) {
    return significant(factor, 3) + QStringLiteral("×");
}

QString countText(qsizetype count, const QString &singular) {
    return count == 1 ? QStringLiteral("1 ") + singular : QStringLiteral("%1 %2s").arg(count).arg(singular);
}

} // namespace warpwright
