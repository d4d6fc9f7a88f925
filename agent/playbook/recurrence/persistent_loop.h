// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Fuses the kernels of a time step into one that can keep its states in registers for all time steps (see
/// RecurrenceMapping): the update of a state, and the reduction over its row that is the output.
void fusePersistentLoops(Program &program);

} // namespace warpwright
