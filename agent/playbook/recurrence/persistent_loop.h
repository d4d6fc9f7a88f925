// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Turns whose kernels go into one that can keep its states in registers through all of them (see
/// RecurrenceMapping): a state's update, and the sum over its row that leaves the loop.
void fusePersistentLoops(Program &program);

} // namespace warpwright
