// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/attention/attention_factors.h"
#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// What stands above attention's text: its formula, and why it is written so. `hidesTiles`: a mask hides
/// whole tiles of keys.
[[nodiscard]] QString attentionHead(const FusedKernel &kernel, const KernelNames &names,
                                    AttentionFactors factors, bool hidesTiles);
[[nodiscard]] QString attentionIncludes(const FusedKernel &kernel, AttentionFactors factors);
/// "0 -> 64 queries, …": what the launcher's choices are.
[[nodiscard]] QString attentionChoicesText(const FusedKernel &kernel, AttentionFactors factors);

} // namespace warpwright
