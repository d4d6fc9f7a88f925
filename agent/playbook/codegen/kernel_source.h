// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// What the text of one kernel is made of. All of it outlives the text's making.
struct KernelSource {
    const ReferenceGraph &graph;
    const Program &program;
    const Kernel &kernel;
    const KernelNames &names;
    const Knobs &knobs;
};

} // namespace warpwright
