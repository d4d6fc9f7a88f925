// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// A signal of one channel under filters that take large steps, as a spectrogram's windows do, as a signal of
/// as many channels as a step has elements: in memory it lies so already, and matrix units sum over channels,
/// of which one alone keeps them idle. Filters get zeros up to whole steps. For convolutions with channels
/// last.
[[nodiscard]] ReferenceGraph withStridesAsChannels(const ReferenceGraph &graph);

} // namespace warpwright
