// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Fuses two kernels over the same rows of the same memory, with the stores of both, where clearly fewer
/// bytes are read then: reductions that a concatenation or a later operator combines, a maximum and the sum
/// after subtracting it, a scan and reductions of it, a recurrent cell's state and output, reductions over
/// slices of one tensor.
void fuseMultiOutput(Program &program);

/// Fuses the kernel at `consumer` into an earlier one that produces its input; returns whether it did.
bool fuseIntoProducer(Program &program, std::size_t consumer);

} // namespace warpwright
