// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// The loop with the fast sine and cosine, valid near 0: isLargeAngle becomes true where an angle is too
/// large for them.
[[nodiscard]] QString withFastTrig(QString loop);

/// A loop over a vector's elements in CUDA, with the fast sine and cosine that suffice near 0, and again with
/// full range reduction if any of the vector's angles is large: a branch per element would keep the compiler
/// from computing several at once. The loop must be safe to run twice; without sine and cosine it is returned
/// as it is. `indent`: spaces before its first line.
[[nodiscard]] QString withTrigRangeReduction(const QString &loop, int indent);

} // namespace warpwright
