// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/attention/attention_mma.h"
#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// The comment above attention's text: its formula, and why it is written so. `hidesTiles`: a mask hides
/// whole tiles of keys.
[[nodiscard]] QString attentionHead(const Kernel &kernel, const KernelNames &names, AttentionMma mma,
                                    bool hidesTiles);
[[nodiscard]] QString attentionIncludes(const Kernel &kernel, AttentionMma mma);
/// "0 -> 64 queries, …": the launcher's configs.
[[nodiscard]] QString attentionConfigText(const Kernel &kernel, AttentionMma mma);

} // namespace warpwright
