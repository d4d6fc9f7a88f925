// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// Where a window is from the place of its memory that does not move, in elements, with `turn` as the
/// counter; empty: there.
[[nodiscard]] QString timeWindowOffset(const TimeStepWindow &window);

/// The text of such a kernel, where `text` is that of one turn: with a loop around it. On a GPU for kernels
/// that have no RecurrenceMapping.
[[nodiscard]] QString cudaTextWithTimeLoop(const QString &text, const ReferenceGraph &graph,
                                           const Program &program, std::size_t kernel,
                                           const KernelNames &names);
[[nodiscard]] QString cpuTextWithTimeLoop(const QString &text, const ReferenceGraph &graph,
                                          const Program &program, std::size_t kernel,
                                          const KernelNames &names);

} // namespace warpwright
