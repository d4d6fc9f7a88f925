// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Fuses the bare matmul at `producer`, and all others whose results only its consumers read, with these one
/// or two pointwise kernels into one kernel of ours: with one accumulator where only the sum of the matmuls
/// is used, else two per element. Returns whether it did. It stands at the last consumer's position; the
/// others are gone.
bool fuseMatmuls(Program &program, std::size_t producer);

} // namespace warpwright
