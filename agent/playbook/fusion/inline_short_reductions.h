// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A sum over a few elements, as a quaternion's length, that one kernel alone reads is worked out there,
/// where that moves clearly less: its elements are read beside it anyway.
void inlineShortReductions(Program &program);

} // namespace warpwright
