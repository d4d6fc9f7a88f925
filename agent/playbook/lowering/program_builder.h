// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The program for a graph: after graph passes, loops over time as one time step and how often. `device`:
/// that its CUDA text is tuned for; not null.
[[nodiscard]] Program programOf(const ReferenceGraph &graph, const SharedDevice &device,
                                const ProgramChoices &choices = {});

} // namespace warpwright
