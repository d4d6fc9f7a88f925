// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Whether a kernel of ours can be a turn's product: the first matrix lies along what is summed over, the
/// second ones at equal distances, and nothing is written where it is read.
[[nodiscard]] bool canBeCellMatmul(const Program &program, const Kernel &kernel);

/// In each turn of a plan's loops: products of few rows are kernels of ours, with what is made of them by one
/// pointwise kernel or two that follow each other. Of plans with products of ours alone.
void fuseCellMatmuls(Program &program);

} // namespace warpwright
