// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Whether a cell matmul can be a kernel of ours: the first matrix is contiguous along the inner dimension,
/// the second ones are equally spaced, and nothing is written where it is read.
[[nodiscard]] bool canBeCellMatmul(const Program &program, const Kernel &kernel);

/// In each time loop: skinny matmuls become kernels of ours, fused with one pointwise consumer, or with two
/// in a row. Only in programs with SM90 matmuls.
void fuseCellMatmuls(Program &program);

} // namespace warpwright
