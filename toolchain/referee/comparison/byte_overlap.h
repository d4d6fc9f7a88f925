// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

namespace warpwright {

/// Whether two tensors of one memory have a byte in common: their places may lie between each other, as the
/// three parts of one projection do, without one. `a`, `b`: leaves with dtype, sizes, strides and offset; one
/// that is no good shares nothing. What would take too long to tell counts as shared.
bool shareBytes(const Json &a, const Json &b);

} // namespace warpwright
