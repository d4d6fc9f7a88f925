// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace warpwright {

struct Interval {
    double value;
    double low;
    double high;

    /// Half of the interval's width, relative to the value.
    double relativeHalfWidth() const { return value != 0.0 ? (high - low) / 2.0 / value : 0.0; }
};

/// Middle value (mean of the two middle ones for an even count). `values` must not be empty.
double median(std::vector<double> values);

/// Median of `values` with its 95 % percentile bootstrap interval (4000 resamples, fixed seed: the same
/// samples always give the same interval). With fewer than three samples the interval is their range.
Interval medianWithInterval(const std::vector<double> &values);

/// exp of the median of log(numerator[i] / denominator[i]) with its 95 % bootstrap interval: pairs measured
/// in the same block share the clock and the temperature of that moment. Sizes must be equal and positive.
Interval ratioWithInterval(const std::vector<double> &numerator, const std::vector<double> &denominator);

/// The same over fresh processes, `processes[i]` being the one (0, 1, …, ascending) in which pair i was
/// taken.
///
/// Two processes that run the same code differ by more than their blocks tell. `expectedHalfWidth`: 95 % of
/// single processes lie so near to the truth (relative), known from elsewhere. With one process the blocks'
/// interval is widened by it; with more the interval is Student's over the processes' medians, around their
/// mean, in which what was expected counts like four processes more.
Interval ratioOverProcesses(const std::vector<double> &numerator, const std::vector<double> &denominator,
                            const std::vector<int> &processes, double expectedHalfWidth);

/// So much of the samples' median may be others' time, 0 to 1. `waited[i]`: the part of sample i in which it
/// stood in line, so no more of it is others'; and the truth, one for all samples, is no less than any of
/// them without that. Of the quarter of the samples that say most, two at least, the least one counts: some
/// are slow for other reasons. Sizes must be equal and positive.
double shareOfOthers(const std::vector<double> &samples, const std::vector<double> &waited);

/// The interval widened by an independent relative uncertainty (half-widths added in quadrature).
Interval widened(const Interval &interval, double relativeHalfWidth);

} // namespace warpwright
