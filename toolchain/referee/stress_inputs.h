// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/channel.h"
#include "referee/shared_memory.h"

#include <cstdint>

namespace warpwright {

/// Inputs that get_inputs() does not draw, made of those that it drew: finite ones of other scales, then also
/// what is not a number. Fixed: other numbers where every draw gives one and the same (a mask that lets
/// everything through); Patterns: where it gives the same ones (a causal mask). The worker draws these two.
enum class Stress { Scales, Specials, Fixed, Patterns };

const char *describe(Stress stress);

/// Changes the floating-point tensors of one set in place: each is cut in eight parts, and each part is
/// stressed in another way. Whole numbers stay: they are places, labels, masks. False: there was nothing to
/// change.
bool stressInputs(const Json &tree, const SharedRegion &inputs, Stress stress, uint64_t seed);

} // namespace warpwright
