// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Rewrites a graph into an equivalent one that plans better: one pass after the other, each in a file of its
/// own.
[[nodiscard]] ReferenceGraph runGraphPasses(const ReferenceGraph &graph, const ProgramChoices &choices);

} // namespace warpwright
