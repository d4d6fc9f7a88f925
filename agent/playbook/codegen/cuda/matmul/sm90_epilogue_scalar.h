// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_common.h"

namespace warpwright {

/// The epilogue where rows of the result are unaligned: sums are transposed through shared memory first.
[[nodiscard]] Sm90Epilogue sm90ScalarEpilogue(const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
