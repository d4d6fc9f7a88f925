// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where one kernel runs all time steps of a loop with its states in registers, fuses a pointwise kernel that
/// reads the stored states into it: saves storing them, and a pass over them.
void fuseLoopConsumers(Program &program);

} // namespace warpwright
