// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/product_tail_parts.h"

namespace warpwright {

/// The tail of a product whose results begin, in each row, anywhere: sums are turned in shared memory first.
[[nodiscard]] ProductTail elementTail(const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
