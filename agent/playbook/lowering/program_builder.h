// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The kernels for a graph, some of its operators in other words, loops over time as one turn and how often.
[[nodiscard]] Program programOf(const ReferenceGraph &graph, const ProgramChoices &choices = {});

} // namespace warpwright
