// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// A 1-D convolution of one channel with a large stride, such as a spectrogram's, becomes one over as many
/// channels as the stride has elements: a view of the same memory, and tensor cores sum over channels, of
/// which one alone would leave them idle. Filters are zero-padded to whole strides. For NHWC.
[[nodiscard]] ReferenceGraph withStridesAsChannels(const ReferenceGraph &graph);

} // namespace warpwright
