// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where one kernel goes through all turns of a loop with its states in registers, what a kernel afterwards
/// makes of each of the states it leaves is made by the turn itself: a pass over all of them less, and nobody
/// writes them.
void fuseLoopConsumers(Program &program);

} // namespace warpwright
