// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/workspace/text_comparison.h"

namespace warpwright {

/// A comparison as `git diff` shows one: lines that went with -, lines that came with +, three lines around
/// them. Empty for the same text.
[[nodiscard]] QString diffText(const TextComparison &comparison, const Terminal &terminal);
/// One line for each file that differs: "kernels/softmax.cu (+12 -3)".
[[nodiscard]] QString diffStat(const TextComparison &comparison, const Terminal &terminal);

} // namespace warpwright
