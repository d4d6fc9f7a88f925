// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// One kernel of a program as CUDA, with its launcher, by the writer of its family.
[[nodiscard]] QString cudaText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                               const KernelNames &names, const Knobs &knobs);

} // namespace warpwright
