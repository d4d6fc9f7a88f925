// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where what a loop's turns leave is only copied into a result afterwards, each turn leaves it there itself;
/// and where nobody else looks at earlier turns, two places in turn are all that they need. Saves a pass over
/// all states.
void storeOutputsDirectly(Program &program);

} // namespace warpwright
