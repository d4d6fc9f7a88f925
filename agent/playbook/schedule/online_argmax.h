// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

/// The kernel with the places of largest and smallest elements in the loops of these: an element that is
/// further out than all before it brings its place along. Such a place's step goes over the elements' numbers
/// then.
[[nodiscard]] Kernel withOnlineArgmax(Kernel kernel);
/// The extreme whose first place this step is; -1: it is none of these.
[[nodiscard]] int extremeOfArgmax(const Kernel &kernel, int position);

} // namespace warpwright
