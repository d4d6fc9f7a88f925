// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// Attention as one kernel: a block iterates over tiles of keys and values with an online softmax. Floats are
/// multiplied in TF32 where `knobs` allow it, else as three TF32 products each, without loss of precision.
/// `kernel`: attention.
[[nodiscard]] QString attentionCudaText(const KernelSource &source);

} // namespace warpwright
