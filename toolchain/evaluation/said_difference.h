// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"

#include <optional>

namespace warpwright {

/// "no difference measured": what is said wherever a difference, ± its farther end, holds zero, or the
/// interval of a ratio holds 1.
[[nodiscard]] QString noDifferenceWords();

/// What lies between two times, and whether it may be said at all: the same for the table of a comparison and
/// for the strip above it.
struct SaidDifference {
    QString
        text; ///< "−14.4 ± 0.6 µs"; of noise "≈ +8.3 ± 10.0 ms"; "0.84× 0.74–0.94" where only that is certain
    bool isNoise = false;

    bool operator==(const SaidDifference &) const = default;
};

/// Of `right` against `left`, in µs. The interval is written as «±» the farther end, from the farthest ends
/// of both, and it is noise where that holds zero: no number is called a difference that reads as none.
/// `ratio` is left's time over right's as one check measured it in turn: then that decides, whatever moved
/// both of them, and stands in place of a difference that is less certain than itself.
[[nodiscard]] SaidDifference saidDifference(const TimeScale &scale, const ArmFigures &left,
                                            const ArmFigures &right, const std::optional<SpeedUp> &ratio);

/// The same of the times of two checks, where nothing was timed in turn: whether they are noise.
[[nodiscard]] bool isSaidNoise(const ArmTiming &left, const ArmTiming &right);

/// Left's time over right's, of one check: what it says where the candidate is one of them, and a baseline
/// the other. `isLeftArm`: the baseline stands left.
[[nodiscard]] std::optional<SpeedUp> ratioOf(const std::optional<SpeedUp> &speedUp, bool isLeftArm);

/// "of the call no difference was measured": of what is made of the two times, and nothing else.
[[nodiscard]] QString noCallDifferenceWords();
/// Then: why a speed-up that changed says nothing of the text. Its baseline is what moved: "…; compile itself
/// took 456 µs, then 10.40 ms". Null: its time is not known.
[[nodiscard]] QString whyOnlyBaselineMoved(const ArmFigures *before, const ArmFigures *after);

} // namespace warpwright
