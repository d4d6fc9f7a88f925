// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

/// One part of the badge. `icon`: a name of ours, or empty.
struct TrustSegment {
    QString icon;
    QString text;
    QString toolTip; ///< the reasons, as sentences
    bool isDoubted = false;

    bool operator==(const TrustSegment &) const = default;
};

/// How far the measured times can be trusted, in a few words: what is doubted leads. Empty when nothing was
/// measured.
struct TrustBadge {
    std::vector<TrustSegment> segments;

    bool operator==(const TrustBadge &) const = default;
    [[nodiscard]] bool isDoubted() const { return !segments.empty() && segments.front().isDoubted; }
    /// One line for screen readers and tooltips: "quick tier, FP32, cold, clocks steady"
    [[nodiscard]] QString text() const;
};

/// The few segments of the banner: tier, precision class, cache, clocks; doubts before them.
[[nodiscard]] TrustBadge trustBadge(const MeasuredFigures &figures);
/// All segments, as they stand below a chart: also samples, the sandbox, and whether the time is physically
/// possible.
[[nodiscard]] TrustBadge wholeTrustBadge(const MeasuredFigures &figures);

/// Where a picture of these figures comes from, for when it has left the window: "softmax-rows on NVIDIA
/// H200, 2026-11-21 07:31 UTC: physically possible, 8 blocks × 1,200 calls, cold, ..."
[[nodiscard]] QString originText(const MeasuredFigures &figures);

} // namespace warpwright
