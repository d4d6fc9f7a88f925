// SPDX-License-Identifier: GPL-3.0-or-later
// The device that a program and its kernels are tuned for.
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/target/device.h"
#include "toolchain/base/result.h"

namespace warpwright {

struct Program;

/// The device of a kernel's program. A kernel without a program has defaultDevice().
[[nodiscard]] const Device &deviceOf(const Kernel &kernel);
[[nodiscard]] const Device &deviceOf(const Program &program);

/// One permanent instance for all equal devices, since kernels point to it.
[[nodiscard]] const Device *internedDevice(const Device &device);

/// The device if none is given: an H200, whose row is read once. An error names the file that cannot be read,
/// and what to do.
[[nodiscard]] const Result<const Device *> &defaultDevice();

} // namespace warpwright
