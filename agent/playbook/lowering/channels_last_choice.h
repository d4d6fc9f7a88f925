// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

#include <set>

namespace warpwright {

/// Convolutions that a kernel of ours is expected to finish, see canBeSm90Convolution(): they get their image
/// with channels last where others lie by rows. One group, several taps, filters and channels for the matrix
/// units, and loops that read the result. None where there are no kernels of ours, or where images have
/// channels last anyway.
[[nodiscard]] std::set<int> channelsLastConvolutions(const ReferenceGraph &graph,
                                                     const ProgramChoices &choices);

} // namespace warpwright
