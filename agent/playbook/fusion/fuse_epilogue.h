// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where a library's result has one pointwise consumer that only copies it, adds a bias or another tensor, or
/// applies an activation that the library has: the library does it as its epilogue, and the kernel is
/// removed.
void fuseEpilogues(Program &program);

/// The same for the kernel at `consumer`, for example a slice of an NHWC concatenation; returns whether it is
/// gone.
bool fuseEpilogueOfConsumer(Program &program, std::size_t consumer);

} // namespace warpwright
