// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/attention_loops.h"

/// How an attention's keys and values come to shared memory: by its threads, 16 bytes each, or by the copy
/// engine (TMA) as boxes of tensors of two to five dimensions, a query's elements, the keys, and batches. For
/// kernels of Anchor::Attention.
namespace warpwright {

/// `bring`, where threads do it.
[[nodiscard]] QString threadLoads(const Kernel &kernel, const KernelNames &names,
                                  const AttentionWidths &widths);

/// The functions of CUDA's text that have the engine do it, one for each number of dimensions.
[[nodiscard]] QString boxCopies(const Kernel &kernel);
/// What brings a tile of keys and one of values, inside the kernel.
[[nodiscard]] QString boxLoads(const Kernel &kernel);
/// The arguments that tell describe() of keys (leaf 1) or values (2): where they are, and their sizes and
/// steps.
[[nodiscard]] QString boxTensor(const Kernel &kernel, const KernelNames &names, std::size_t input);

/// Whether the elements that the loop `along` counts lie in packs of so many.
[[nodiscard]] bool isInVectors(const Kernel &kernel, const AffineExpr &address, std::size_t along,
                               std::int64_t vec);
/// Where an element is: `more` instead of what the loop `without` counts, which the text counts itself.
[[nodiscard]] QString addressWithout(const AffineExpr &address, std::size_t without,
                                     const QStringList &counters, const QString &more);
/// Lines of the kernel's text.
[[nodiscard]] QString indented(const QStringList &lines, int depth);

} // namespace warpwright
