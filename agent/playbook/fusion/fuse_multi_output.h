// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Makes one kernel of two that go over the same rows of the same memory, with the stores of both, where
/// clearly less is read then: sums of one thing that a join or a later operator brings together, a maximum
/// and the sum that is taken less it, a scan and the sums of what it finds, a cell's state and what it shows,
/// sums over slices of one image.
void fuseMultiOutput(Program &program);

/// The kernel at `reader` in one before it that makes what it reads, if it can be; whether it was.
bool fuseIntoProducer(Program &program, std::size_t consumer);

} // namespace warpwright
