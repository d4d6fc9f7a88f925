// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where a library's result is read by one pointwise kernel alone, and that kernel only copies it, adds a
/// bias or another tensor, applies an activation that the library has: the library does it itself, and the
/// kernel is gone.
void fuseEpilogues(Program &program);

/// The same for the one kernel at `reader`, a part of a join with channels last for example; whether it is
/// gone.
bool fuseEpilogueOfConsumer(Program &program, std::size_t consumer);

} // namespace warpwright
