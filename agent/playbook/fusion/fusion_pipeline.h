// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// What happens to a plan that has all its kernels: what follows a library's goes into it, kernels over the
/// same rows become one, joins are written part by part, short loops are written out. A plan that cannot be
/// stays as it is.
void runFusionPasses(Program &program);

} // namespace warpwright
