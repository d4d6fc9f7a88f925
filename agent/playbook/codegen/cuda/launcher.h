// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// The arguments that the launcher passes on: its pointers, those of 16 bits cast to their type.
[[nodiscard]] QStringList cudaArguments(const ReferenceGraph &graph, const Program &program,
                                        const KernelNames &names);

/// The extern "C" function that launches a CUDA kernel, with a switch over `config`.
[[nodiscard]] QString cudaLauncher(const KernelSource &source, const std::vector<int> &configs);

} // namespace warpwright
