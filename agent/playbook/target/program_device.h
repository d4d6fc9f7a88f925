// SPDX-License-Identifier: GPL-3.0-or-later
// Which device a plan and its kernels are made for.
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/target/device.h"
#include "toolchain/base/result.h"

namespace warpwright {

struct Program;

/// The device that a kernel is made for: its plan's. A kernel of no plan is for defaultDevice().
[[nodiscard]] const Device &deviceOf(const Kernel &kernel);
[[nodiscard]] const Device &deviceOf(const Program &program);

/// Kept as long as the program runs, once for all that are equal: kernels point to it.
[[nodiscard]] const Device *internedDevice(const Device &device);

/// What a plan is for where nobody names a device: an H200, whose row is read once. An error where it cannot
/// be read: which file, and what to do.
[[nodiscard]] const Result<const Device *> &defaultDevice();

} // namespace warpwright
