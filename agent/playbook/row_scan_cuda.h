// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_text.h"
#include "agent/playbook/kernel_tuning.h"
#include "agent/playbook/ragged_rows.h"

#include <optional>

namespace warpwright {

/// Running sums along rows whose elements lie side by side, forwards or backwards: a thread takes a pack of
/// them, so that what the threads of a row tell each other is told once for several elements. Nothing where
/// what is written along a row does not lie in such packs, or where something is looked up.
[[nodiscard]] std::optional<RaggedRows> rowScanOf(const FusedKernel &kernel);

[[nodiscard]] QString rowScanCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                      const FusedKernel &kernel, const KernelNames &names,
                                      const KernelTuning &tuning);

} // namespace warpwright
