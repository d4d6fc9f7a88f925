// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// One kernel of a plan as CUDA, by whichever emitter is for its family, with its launcher.
[[nodiscard]] QString cudaText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                               const KernelNames &names, const Knobs &knobs);

} // namespace warpwright
