// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Rows that another kernel makes element by element, and only for that, are scattered by it as they come:
/// they never reach the memory. The last thing that is done to a plan: the leaves that say where belong to no
/// step.
void fuseScatters(Program &program);

} // namespace warpwright
