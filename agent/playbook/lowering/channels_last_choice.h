// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

#include <set>

namespace warpwright {

/// Convolutions that an SM90 kernel is expected to compute (canBeSm90Convolution()): they use NHWC where
/// others use NCHW. One group, several taps, filters and channels enough for tensor cores, and loop nests
/// that read the result. None without SM90 kernels, or where all use NHWC anyway.
[[nodiscard]] std::set<int> channelsLastConvolutions(const ReferenceGraph &graph,
                                                     const ProgramChoices &choices);

} // namespace warpwright
