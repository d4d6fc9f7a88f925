// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The bare product at `maker`, and all others whose results only its readers read, one or two kernels that
/// go over elements, as one kernel of ours with these: their sums as one, where nobody knows more than what
/// they come to together, or two sums of each element. Whether it can be. It stands where the last reader
/// was; the others are gone.
bool fuseMatmuls(Program &program, std::size_t producer);

} // namespace warpwright
