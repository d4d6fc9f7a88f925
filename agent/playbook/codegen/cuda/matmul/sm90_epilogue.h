// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_common.h"

namespace warpwright {

/// The epilogue of an SM90 GEMM: vectorized where the result's rows are aligned, else scalar.
[[nodiscard]] Sm90Epilogue sm90Epilogue(const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
