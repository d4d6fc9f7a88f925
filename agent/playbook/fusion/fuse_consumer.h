// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A depthwise convolution and attention are kernels of ours, so whatever is done to each element of their
/// result, and by one kernel alone, is done before the result is written: two passes over memory less.
/// Where several kernels read a depthwise convolution's result, what those make of each of its elements, or
/// of every second, is stored beside it. A reader that looks at the first rows or columns only makes the
/// convolution smaller. And what only copies a whole temporary as it lies, a result that is another shape of
/// what a library makes, is no kernel.
void fuseConsumers(Program &program);

/// The kernel at `reader` in one of ours before it that it alone reads, if it can be; whether it was. The
/// kernels after that maker are one place further to the front then.
[[nodiscard]] bool fuseConsumer(Program &program, std::size_t consumer);

/// The product at `maker` in its only reader, where that is a kernel of ours then: whether it was.
bool fuseMatmulIntoConsumer(Program &program, std::size_t producer);

} // namespace warpwright
