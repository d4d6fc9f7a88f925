// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/product_tail_parts.h"

namespace warpwright {

/// The tail of a product of ours: in packs where the result's rows allow it, else element by element.
[[nodiscard]] ProductTail productTail(const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
