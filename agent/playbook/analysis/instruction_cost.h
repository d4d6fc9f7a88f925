// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// How much work a kernel's steps are for a thread.
namespace warpwright {

/// About how many instructions a step costs a thread; 0: none for each element.
[[nodiscard]] int costOf(const Kernel &kernel, const KernelStep &step);

/// Whether a matmul's epilogue has a function with branches and a hundred instructions: eight warps are too
/// few to hide its latency. On an H100 CUDA's sine took a matmul from 191 us, with a pass of its own, to 478.
[[nodiscard]] bool hasSlowSteps(const Kernel &kernel);

} // namespace warpwright
