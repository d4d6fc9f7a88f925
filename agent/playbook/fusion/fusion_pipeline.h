// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Runs all passes on a complete program: epilogues into library calls, kernels over the same rows into one,
/// concatenations split by part, short loops unrolled. An unsupported program stays as it is.
void runFusionPasses(Program &program);

} // namespace warpwright
