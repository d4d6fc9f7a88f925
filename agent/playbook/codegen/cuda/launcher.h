// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// What the launcher hands on: its pointers, those of 16 bits told their type.
[[nodiscard]] QStringList cudaArguments(const ReferenceGraph &graph, const Program &program,
                                        const KernelNames &names);

/// The extern "C" function that starts a CUDA kernel, with a switch over `config`.
[[nodiscard]] QString cudaLauncher(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                                   const KernelNames &names, const Knobs &knobs);

} // namespace warpwright
