// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The same function in the words that plans do best with: one rewriting after the other, by rooms of their
/// own.
[[nodiscard]] ReferenceGraph runGraphPasses(const ReferenceGraph &graph, const ProgramChoices &choices);

} // namespace warpwright
