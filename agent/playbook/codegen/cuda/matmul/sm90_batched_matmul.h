// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/ir/program.h"

namespace warpwright {

/// The kernel for isSm90BatchedMatmul(), compute capability 9.0 only.
[[nodiscard]] QString sm90BatchedMatmulCudaText(const KernelSource &source);

} // namespace warpwright
