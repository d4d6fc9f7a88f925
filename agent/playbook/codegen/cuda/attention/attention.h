// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// Attention as one kernel: tiles of keys and values go past a block's queries, and the softmax keeps pace.
/// Floats are multiplied in TF32 where `tuning` allows it, else in three products each, which lose nothing.
/// `kernel`: of Anchor::Attention.
[[nodiscard]] QString attentionCudaText(const ReferenceGraph &graph, const Program &program,
                                        const Kernel &kernel, const KernelNames &names, const Knobs &knobs);

} // namespace warpwright
