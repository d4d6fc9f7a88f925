// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QString>

#include <optional>

namespace warpwright {

/// Nobody means more than a million times as fast or as slow; the figures of one have room for that much.
constexpr double timeRatioAtLeast = 1e-6;
constexpr double timeRatioAtMost = 1e6;

/// What somebody expects of a change before it is measured: the candidate's time after it over its time
/// before it.
struct Prediction {
    std::optional<double> timeRatio; ///< above 0; 0.5: half the time. Empty: nothing was promised
    std::optional<double> low;       ///< where a range was given; low <= timeRatio <= high
    std::optional<double> high;
    QString words; ///< as the agent put it: «one pass instead of three»
    /// The median time of the text before as it was known then: what the ratio came to in microseconds is
    /// said with it, whatever is measured later. Empty: that text was not timed yet.
    std::optional<double> beforeMicroseconds;

    /// What it promised of the time, negative is faster.
    [[nodiscard]] std::optional<double> differenceMicroseconds() const;

    bool operator==(const Prediction &) const = default;
};
/// As it was said then, the same everywhere: "83.2 % of the time, −895 µs of 5.33 ms"; without the time of
/// the text before "83.2 % of the time"; empty: nothing was promised of the time.
[[nodiscard]] QString promisedWords(const Prediction &prediction);

[[nodiscard]] Json predictionToJson(const Prediction &prediction);
/// Fields of another kind, or ratios that are not from timeRatioAtLeast to timeRatioAtMost, are left out.
[[nodiscard]] Prediction predictionFromJson(const Json &json);

} // namespace warpwright
