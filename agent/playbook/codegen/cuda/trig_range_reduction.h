// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// The loop with the short functions for sines and cosines alone: isFar becomes true where one of its angles
/// was none for them.
[[nodiscard]] QString withFastTrig(QString loop);

/// A loop over a pack's elements in CUDA, with sines and cosines by the short functions that suffice near 0,
/// and once more by those for any angle, where one of the pack's was far: a branch for each element would
/// keep the compiler from computing several at once. The loop may be run twice. Without angles it is left as
/// it is. `indent`: spaces before its first line.
[[nodiscard]] QString withTrigRangeReduction(const QString &loop, int indent);

} // namespace warpwright
