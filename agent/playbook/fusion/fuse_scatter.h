// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Rows that another kernel computes elementwise, only to be scattered, are scattered by that kernel and
/// never written. The last pass: no step loads the inputs that hold the indices.
void fuseScatters(Program &program);

} // namespace warpwright
