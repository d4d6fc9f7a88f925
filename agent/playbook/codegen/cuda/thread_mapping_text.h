// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <QStringList>

namespace warpwright {

/// Lines of the kernel that compute a thread's row.
[[nodiscard]] QStringList cudaRowLines(const Kernel &kernel, const ThreadMapping &mapping);
/// Head of a loop over a row; its last lines open bracketsOf() brackets. `width`: elements of a vector.
[[nodiscard]] QStringList cudaLoopLines(const Kernel &kernel, const ThreadMapping &mapping, int width,
                                        bool hasBarriers);
/// The same for a flat loop over elements or vectors.
[[nodiscard]] QStringList cudaFlatLoopLines(const ThreadMapping &mapping);
/// A bounds-checked store of one of a thread's elements. The value is computed before the check, under the
/// free `name`, so that loads stay in flight together.
[[nodiscard]] QStringList cudaPredicatedStore(const QString &type, const QString &name, const QString &target,
                                              const QString &value);
/// The threads that share a row, of a block or of a cluster: "THREADS".
[[nodiscard]] QString cudaThreadsOf(const ThreadMapping &mapping);
/// Batched rescaling: lines for each of the batch's elements, and after them, as unalignedElementGuard() and
/// fullOrPartialVectorLines().
[[nodiscard]] QStringList cudaRescalingGuard(const ThreadMapping &mapping);
[[nodiscard]] QStringList cudaRescalingLines(const ThreadMapping &mapping);
/// Clamped index from which each of them is loaded, ahead of all bounds checks.
[[nodiscard]] QStringList cudaRescalingIndex(const ThreadMapping &mapping);
/// Elements of a batch: "kBatch<THREADS_Y>".
[[nodiscard]] QString cudaRescalingCount(const ThreadMapping &mapping);
[[nodiscard]] int bracketsOf(const ThreadMapping &mapping);
/// Shared memory for a reduction's partial results; `isTwice`: double buffered, for reductions in a loop.
[[nodiscard]] QStringList cudaPartialsLines(const ThreadMapping &mapping, const QString &type,
                                            const QString &name, bool isTwice = false);
/// Declare the accumulator of a loop over the row, and a per-row value: arrays where a thread has several
/// rows, then with `k` as the index in `value`.
[[nodiscard]] QString cudaSumLine(const ThreadMapping &mapping, const QString &type, const QString &name,
                                  const QString &start);
[[nodiscard]] QStringList cudaRowValueLines(const ThreadMapping &mapping, const QString &type,
                                            const QString &name, const QString &value);
/// "sum", "sum[k]".
[[nodiscard]] QString cudaSumOfThread(const ThreadMapping &mapping, const QString &name);
/// Reduces `name` over all threads that share the row. `half`: "[bit % 2]", of a double buffer.
[[nodiscard]] QString cudaCombineLine(const ThreadMapping &mapping, const QString &type, const QString &name,
                                      const QString &how, const QString &half = {});
/// With one barrier for all reductions: the store of a warp's partial result, and the barrier.
[[nodiscard]] QString cudaStorePartialLine(const QString &type, const QString &name, const QString &how);
[[nodiscard]] QStringList cudaFusedReductionLines();
/// Stores of per-row results, by one thread of those that share the row.
[[nodiscard]] QStringList cudaRowStoreLines(const ThreadMapping &mapping, QStringList stores);

} // namespace warpwright
