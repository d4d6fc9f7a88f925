// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/device/shared_memory.h"

#include <cstdint>

namespace warpwright {

/// Inputs that get_inputs() does not draw, made of those that it drew: finite ones of other scales, then also
/// what is not a number. Constants: other values of inputs that every draw gives the same; the worker draws
/// them.
enum class Stress { Constants, Scales, Specials, WholeNumbers };

const char *describe(Stress stress);

/// Changes the floating-point tensors of one set in place: each is cut in eight parts, and each part is
/// stressed in another way. Whole numbers stay: they are places, labels, masks. False: there was nothing to
/// change.
bool stressInputs(const Json &tree, const SharedRegion &inputs, Stress stress, uint64_t seed);

/// Makes the whole numbers of one set `factor` times as large and more, by less than another step each: what
/// is sorted stays so. False: there are none, or their type holds none that large.
bool stretchWholeNumbers(const Json &tree, const SharedRegion &inputs, int64_t factor, uint64_t seed);

/// Factors for that, the largest first: the first that the reference takes says what they may be. Larger ones
/// would be sizes of memory where a reference makes classes or counts of them.
inline constexpr int64_t stretches[] = {64, 8, 2};

} // namespace warpwright
