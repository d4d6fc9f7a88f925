// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Figures for people: four significant digits at most, always with their unit.

/// "41.23 µs", "4.123 ms", "1.234 s". `like`: in the unit that suits this other time, so that intervals can
/// be compared.
[[nodiscard]] QString timeText(double microseconds);
[[nodiscard]] QString timeText(double microseconds, double like);
/// "409.1 … 415.9 µs"
[[nodiscard]] QString intervalText(double lowMicroseconds, double highMicroseconds);
/// "0.42 s", "21.0 s", "3 min 12 s"
[[nodiscard]] QString durationText(double seconds);
/// "512 B", "1.50 KiB", "3.00 MiB"
[[nodiscard]] QString bytesText(double bytes);
/// "1.93×"
[[nodiscard]] QString factorText(double factor);
/// "1 warning", "3 warnings"
[[nodiscard]] QString countText(qsizetype count, const QString &singular);

} // namespace warpwright
