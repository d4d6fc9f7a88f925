// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/attention_loops.h"

/// How attention loads keys and values into shared memory: by its threads, 16 bytes each, or by TMA as boxes
/// of tensors of two to five dimensions (elements, keys, batches). For attention kernels.
namespace warpwright {

/// `loadTile`, where threads load.
[[nodiscard]] QString threadLoads(const Kernel &kernel, const KernelNames &names,
                                  const AttentionWidths &widths);

/// The device functions of TMA loads, one for each number of dimensions.
[[nodiscard]] QString boxCopies(const Kernel &kernel);
/// The lambdas in the kernel that load a tile of keys and one of values.
[[nodiscard]] QString boxLoads(const Kernel &kernel);
/// The arguments of describe() for keys (input 1) or values (2): pointer, sizes and strides.
[[nodiscard]] QString boxTensor(const Kernel &kernel, const KernelNames &names, std::size_t input);

/// Whether the elements along loop `along` are contiguous and aligned for vectors of `vec`.
[[nodiscard]] bool isInVectors(const Kernel &kernel, const AffineExpr &address, std::size_t along,
                               std::int64_t vec);
/// The address of an element, with `more` for the term of loop `without`, whose index is the text's own.
[[nodiscard]] QString addressWithout(const AffineExpr &address, std::size_t without,
                                     const QStringList &counters, const QString &more);
/// The lines, indented and wrapped.
[[nodiscard]] QString indented(const QStringList &lines, int depth);

} // namespace warpwright
