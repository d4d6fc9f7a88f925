// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// Offset of a window from the start of its memory, in elements, as text in the time step `turn`; empty: 0.
[[nodiscard]] QString timeWindowOffset(const TimeStepWindow &window);

/// `text`, a kernel of one time step, with the loop over all time steps around it. On a GPU for kernels that
/// have no RecurrenceMapping.
[[nodiscard]] QString cudaTextWithTimeLoop(const QString &text, const ReferenceGraph &graph,
                                           const Program &program, std::size_t kernel,
                                           const KernelNames &names);
[[nodiscard]] QString cpuTextWithTimeLoop(const QString &text, const ReferenceGraph &graph,
                                          const Program &program, std::size_t kernel,
                                          const KernelNames &names);

} // namespace warpwright
