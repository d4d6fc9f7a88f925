// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// Figures for people, written the same in terminal, window and export: always with their unit, thousands
/// grouped by commas, a true minus, no-break space before a percent sign.
namespace warpwright {

/// "16,384", "−0.9", "203.4"
[[nodiscard]] QString numberText(double value, int decimals = 0);
/// "+24", "−3", "0"
[[nodiscard]] QString signedText(double value, int decimals = 0);
/// `share` of 1: "92.7 %"
[[nodiscard]] QString percentText(double share, int decimals = 1);

/// How the times that belong together are written: one unit and one number of decimals, so that they can be
/// compared down a column and are the same text wherever they stand.
struct TimeScale {
    double unitMicroseconds = 1;
    QString unit = QStringLiteral("µs");
    int decimals = 1;

    bool operator==(const TimeScale &) const = default;

    /// "203.4"
    [[nodiscard]] QString number(double microseconds) const;
    /// "203.4 µs"
    [[nodiscard]] QString text(double microseconds) const;
    /// "0.740 ms": with three digits at least, for a time that is far less than those the scale was made for
    [[nodiscard]] QString fineText(double microseconds) const;
    /// "202.9–203.9"
    [[nodiscard]] QString interval(double low, double high) const;
    /// "± 0.5": the farther end of the interval, never rounded to nothing. Where the interval is lopsided, or
    /// «±» would reach below zero, the interval itself, "2.9–6.0": one time has one uncertainty.
    [[nodiscard]] QString spread(double median, double low, double high) const;
    /// "203.4 ± 0.5 µs", "3.4 (2.9–6.0) ms"
    [[nodiscard]] QString withSpread(double median, double low, double high) const;
    /// "−14.4 ± 0.6 µs", negative is faster; an interval that holds zero is noise: "≈ −0.9 ± 1.0 µs"
    [[nodiscard]] QString difference(double value, double low, double high) const;
};

/// The unit that suits `median`; four digits at most, and no more than two of the uncertainty.
[[nodiscard]] TimeScale timeScaleOf(double median, double low, double high);
[[nodiscard]] TimeScale timeScaleOf(double median);

/// A difference whose interval holds zero says nothing.
[[nodiscard]] constexpr bool isNoise(double low, double high) {
    return low <= 0 && high >= 0;
}

/// "41.23 µs", "4.123 ms", "1.234 s": a time that stands alone.
[[nodiscard]] QString timeText(double microseconds);
/// "0.42 s", "21.0 s", "3 min 12 s"
[[nodiscard]] QString durationText(double seconds);

/// "1.93×": a factor that stands alone.
[[nodiscard]] QString factorText(double factor);
/// A factor with its interval: as many decimals as the interval deserves, the same in all three.
struct FactorText {
    QString value;    ///< "1.195×"
    QString interval; ///< "1.190–1.200"

    bool operator==(const FactorText &) const = default;
    /// "1.195× 1.190–1.200"
    [[nodiscard]] QString both() const { return value + QLatin1Char(' ') + interval; }
};
[[nodiscard]] FactorText factorText(double factor, double low, double high);

/// Memory of a chip, powers of 1024: "512 B", "1.50 KiB", "3.00 MiB"
[[nodiscard]] QString bytesText(double bytes);
/// Traffic and rates, powers of 1000, three digits: ("B") "268 MB", ("FLOP/s") "58.9 TFLOP/s", ("") "336 M"
[[nodiscard]] QString scaledText(double value, const QString &unit);
/// "1 warning", "3 warnings", "1,600 samples"
[[nodiscard]] QString countText(qsizetype count, const QString &singular);

} // namespace warpwright
