// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where a product's first matrix is joined of others, row by row, for it alone: a kernel of ours multiplies
/// each part, where it lies, by its share of the second matrix, and the joined one is not written. Only with
/// `hasSm90Matmuls`.
void fuseConcatsIntoMatmuls(Program &program);

} // namespace warpwright
