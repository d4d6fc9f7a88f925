// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/figures.h"

#include <optional>
#include <vector>

/// Which hunk of a proposal carries its gain, and the sentences that follow from the numbers.
namespace warpwright {

/// A difference of time in microseconds with its 95 % interval; below 0 is faster.
struct TimeDifference {
    double value = 0;
    double low = 0;
    double high = 0;
    /// What the rule of all comparisons says of it; empty: whether the interval holds 0.
    std::optional<bool> isSaidNoise = std::nullopt;

    bool operator==(const TimeDifference &) const = default;
    [[nodiscard]] bool isNoise() const { return isSaidNoise.value_or(warpwright::isNoise(low, high)); }
};

/// What one hunk of a proposal does to the time: by itself, and when all others are taken without it.
struct HunkContribution {
    int id = 0;
    int number = 0;
    QString title;
    std::optional<TimeDifference> alone; ///< empty: not measured yet
    std::optional<TimeDifference> allBut;
    bool isUnexercised = false; ///< its file does not run on this device: nothing can be measured of it
    bool isBesideCode = false;  ///< comments alone: what was measured of it is noise
    QString aloneFailed = {};   ///< why there is no time of it by itself: "does not compile"
    QString allButFailed = {};  ///< and none without it

    /// In the place of the times: "does not compile alone", "wrong without it"; empty: they are there, or it
    /// is not measured.
    [[nodiscard]] QString failedWords() const;

    bool operator==(const HunkContribution &) const = default;
};

struct HunkContributions {
    QString base;          ///< "iteration 6"
    QString proposal;      ///< "proposal 7"
    double baseSpread = 0; ///< half of the base's own interval, microseconds
    std::vector<HunkContribution> hunks;
    std::optional<TimeDifference> all;
    TimeScale times;

    bool operator==(const HunkContributions &) const = default;
    [[nodiscard]] bool isEmpty() const;
};

/// What can be said of the numbers: the hunk that carries the gain, those that pay only with the others,
/// those that slow down, those that do nothing.
struct ContributionSentence {
    int hunk = 0; ///< its id
    QString head; ///< "Hunk 3 carries the gain"
    QString words;
    QString value; ///< "−8.6 µs"

    bool operator==(const ContributionSentence &) const = default;
};
[[nodiscard]] std::vector<ContributionSentence> contributionSentences(const HunkContributions &contributions);

} // namespace warpwright
