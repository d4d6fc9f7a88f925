// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// One kernel of a plan as CUDA, by whichever emitter is for its family, with its launcher.
[[nodiscard]] QString cudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                               const KernelNames &names, const KernelTuning &tuning);

} // namespace warpwright
