// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_common.h"

namespace warpwright {

/// The tail of a product whose results begin, in each row, anywhere: sums are turned in shared memory first.
[[nodiscard]] Sm90Epilogue sm90ScalarEpilogue(const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
