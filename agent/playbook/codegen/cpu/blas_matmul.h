// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// The CPU twin of a matmul: BLAS on tiles that stay in a core's cache until bias and activation are applied.
/// `kernel`: a matmul.
[[nodiscard]] QString matmulCpuText(const KernelSource &source);

} // namespace warpwright
