// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The program for a graph: after graph passes, loops over time as one time step and how often.
[[nodiscard]] Program programOf(const ReferenceGraph &graph, const ProgramChoices &choices = {});

} // namespace warpwright
