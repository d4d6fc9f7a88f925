// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/inspect/inspection_comparison.h"

namespace warpwright {

/// Registers, spills, shared memory and occupancy of each kernel, and what its instructions are.
[[nodiscard]] QString resourcesText(const Inspection &inspection, const std::vector<InspectedKernel> &kernels,
                                    const Terminal &terminal);

/// What has changed since `before`: the numbers of each kernel, and the instructions that are others, by
/// their opcodes.
[[nodiscard]] QString changesText(int iteration, const std::vector<InspectedKernel> &before,
                                  const std::vector<InspectedKernel> &after, const Terminal &terminal);

/// A listing in the order of the code; each time it comes from another line, that line of the source stands
/// above. `workspace`: where relative files lie.
[[nodiscard]] QString listingText(const KernelCode &code, const QString &title, const QString &workspace,
                                  const Terminal &terminal);

} // namespace warpwright
