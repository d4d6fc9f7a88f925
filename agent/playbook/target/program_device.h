// SPDX-License-Identifier: GPL-3.0-or-later
// The device that a program and its kernels are tuned for.
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/target/device.h"

namespace warpwright {

struct Program;

/// The device of a kernel's program. It has to be set: planning sets it before the first fusion pass.
[[nodiscard]] const Device &deviceOf(const Kernel &kernel);
[[nodiscard]] const Device &deviceOf(const Program &program);

} // namespace warpwright
