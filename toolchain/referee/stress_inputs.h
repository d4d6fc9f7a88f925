// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/channel.h"
#include "referee/shared_memory.h"

#include <cstdint>

namespace warpwright {

/// Inputs that get_inputs() does not draw, made of those that it drew: finite ones of other scales, then also
/// what is not a number. Constants: other values of inputs that every draw gives the same; the worker draws
/// them.
enum class Stress { Constants, Scales, Specials };

const char *describe(Stress stress);

/// Changes the floating-point tensors of one set in place: each is cut in eight parts, and each part is
/// stressed in another way. Whole numbers stay: they are places, labels, masks. False: there was nothing to
/// change.
bool stressInputs(const Json &tree, const SharedRegion &inputs, Stress stress, uint64_t seed);

} // namespace warpwright
