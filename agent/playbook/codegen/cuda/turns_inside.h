// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// Where a window is from the place of its memory that does not move, in elements, with `turn` as the
/// counter; empty: there.
[[nodiscard]] QString turnPlaceText(const TurnWindow &window);

/// The text of such a kernel, where `text` is that of one turn: with a loop around it. On a GPU for kernels
/// that have no RecurrenceSharing.
[[nodiscard]] QString cudaTextWithTurns(const QString &text, const ReferenceGraph &graph,
                                        const KernelPlan &plan, std::size_t kernel, const KernelNames &names);
[[nodiscard]] QString cpuTextWithTurns(const QString &text, const ReferenceGraph &graph,
                                       const KernelPlan &plan, std::size_t kernel, const KernelNames &names);

} // namespace warpwright
