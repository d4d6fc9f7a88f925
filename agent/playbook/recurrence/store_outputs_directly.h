// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where outputs of a loop are only copied into a result, time steps store them there directly; and where
/// nothing else reads earlier time steps, a ring of two slots is enough. Saves a pass over all states.
void storeOutputsDirectly(Program &program);

} // namespace warpwright
