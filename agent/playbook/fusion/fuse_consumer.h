// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Depthwise convolutions and attention are kernels of ours, so elementwise work of their only consumer is
/// done in registers before the result is written: two passes over memory saved. If several kernels read a
/// depthwise convolution's result, what they compute from each element, or from every second one, becomes an
/// extra store. A consumer that reads only the first rows or columns shrinks the convolution. And a kernel
/// that only copies a whole temporary in its layout (a library's result in another shape) is removed.
void fuseConsumers(Program &program);

/// Fuses the kernel at `consumer` into one of ours before it that it alone reads; returns whether it did. The
/// kernels after that producer are one position further to the front then.
[[nodiscard]] bool fuseConsumer(Program &program, std::size_t consumer);

/// Fuses the matmul at `producer` into its only consumer if that makes a kernel of ours; whether it did.
bool fuseMatmulIntoConsumer(Program &program, std::size_t producer);

} // namespace warpwright
