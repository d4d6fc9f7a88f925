// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

/// The kernel with each argmax and argmin in the loop of its extreme (online): an element that replaces the
/// extreme so far brings its index along. The operand of such a step is then the index.
[[nodiscard]] Kernel withOnlineArgmax(Kernel kernel);
/// The extreme whose first index (argmax, argmin) this step is; -1: none.
[[nodiscard]] int extremeOfArgmax(const Kernel &kernel, int position);

} // namespace warpwright
