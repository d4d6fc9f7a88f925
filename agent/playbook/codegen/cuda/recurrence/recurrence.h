// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// A persistent recurrence: all time steps in one launch, states in registers. It has a RecurrenceMapping.
[[nodiscard]] QString recurrenceCudaText(const ReferenceGraph &graph, const Program &program,
                                         std::size_t kernel, const KernelNames &names);

} // namespace warpwright
