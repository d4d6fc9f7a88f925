// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where a matmul's first matrix is a concatenation along K with no other consumer: our SM90 GEMM multiplies
/// each part in place by its slice of the second matrix, and the concatenated matrix is not written. Only
/// with `hasSm90Matmuls`.
void fuseConcatsIntoMatmuls(Program &program);

} // namespace warpwright
