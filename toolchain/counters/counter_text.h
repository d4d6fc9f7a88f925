// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

#include <functional>

/// Counters for people: units that fit the size, differences against a baseline, names without underscores.
namespace warpwright {

/// "31.23 µs" of ns, "67.1 MB" of byte, "3.57 TB/s" of byte/s, "1.98 GHz" of hz, "74.2 %", "2.10 M inst"
[[nodiscard]] QString counterText(double value, const QString &unit);
/// Unrounded, in the tool's own unit: "67113728 byte"; of text the text; "no value" where it has none.
[[nodiscard]] QString exactText(const CounterValue &value);
/// "sm inst executed pipe adu" of "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed"
[[nodiscard]] QString metricWords(const QString &metric);

/// What lies between a value and its baseline's.
struct CounterChange {
    std::optional<double> share; ///< of the baseline's: 0.12 is 12 % more; none: the baseline's is zero
    bool isNoise = false;        ///< both were measured several times, and their ranges meet

    bool operator==(const CounterChange &) const = default;
    /// "+12.3 %", "≈ +1.0 %", "was 0", "same"
    [[nodiscard]] QString text() const;
};

/// What the launches of the same kernel with the same grid and block say of one metric.
struct CounterRange {
    double low = 0;
    double high = 0;
    int launches = 1;

    bool operator==(const CounterRange &) const = default;
};

/// Of `kernel`, a launch of `counters`, and those alike in its arm; nothing: it has no number.
using CounterReading = std::function<std::optional<double>(const KernelCounters &)>;
[[nodiscard]] std::optional<CounterRange> rangeOf(const Counters &counters, const KernelCounters &kernel,
                                                  const CounterReading &read);
[[nodiscard]] CounterChange changeOf(double now, double before, const std::optional<CounterRange> &nowRange,
                                     const std::optional<CounterRange> &beforeRange);

} // namespace warpwright
