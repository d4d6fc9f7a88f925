// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/fused_kernel.h"

/// What a kernel's loops allow on a GPU: the parameter space that its moves go through.
namespace warpwright {

/// Elements that one load may take: 1 where addresses or sizes do not allow more.
/// Whether any of its loads can be.
[[nodiscard]] bool canBeWide(const FusedKernel &kernel);
[[nodiscard]] int widthOf(const FusedKernel &kernel);
/// Whether `width` neighbours can be taken at this address.
[[nodiscard]] bool isWide(const FusedKernel &kernel, const AffineIndex &address, int width);
/// Whether its text on a GPU is ours: all of it, or what a library would do as well.
[[nodiscard]] bool isOurs(const FusedKernel &kernel);
/// Whether registers can hold a row.
[[nodiscard]] bool canBeOnePass(const FusedKernel &kernel);
/// The launcher's choices, as `config` names them: threads a row, groups of threads a lane, blocks a
/// multiprocessor, results a thread of a depthwise convolution, rows a
/// thread of a small product.
[[nodiscard]] std::vector<int> configChoices(const FusedKernel &kernel, bool isOnePass);

} // namespace warpwright
