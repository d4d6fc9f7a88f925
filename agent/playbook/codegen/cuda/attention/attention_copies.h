// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/schedule/attention_loops.h"

/// How an attention's keys and values come to shared memory: by its threads, 16 bytes each, or by the copy
/// engine (TMA) as boxes of tensors of two to five dimensions, a query's elements, the keys, and batches. For
/// kernels of Anchor::Attention.
namespace warpwright {

/// `bring`, where threads do it.
[[nodiscard]] QString threadBringing(const FusedKernel &kernel, const KernelNames &names,
                                     const AttentionWidths &widths);

/// The functions of CUDA's text that have the engine do it, one for each number of dimensions.
[[nodiscard]] QString boxCopies(const FusedKernel &kernel);
/// What brings a tile of keys and one of values, inside the kernel.
[[nodiscard]] QString boxBringing(const FusedKernel &kernel);
/// The arguments that tell describe() of keys (leaf 1) or values (2): where they are, and their sizes and
/// steps.
[[nodiscard]] QString boxTensor(const FusedKernel &kernel, const KernelNames &names, std::size_t leaf);

/// Whether the elements that the loop `along` counts lie in packs of so many.
[[nodiscard]] bool isInPacks(const FusedKernel &kernel, const AffineIndex &address, std::size_t along,
                             std::int64_t pack);
/// Where an element is: `more` instead of what the loop `without` counts, which the text counts itself.
[[nodiscard]] QString placeBeside(const AffineIndex &address, std::size_t without,
                                  const QStringList &counters, const QString &more);
/// Lines of the kernel's text.
[[nodiscard]] QString indented(const QStringList &lines, int depth);

} // namespace warpwright
