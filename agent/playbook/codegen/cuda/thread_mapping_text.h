// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <QStringList>

namespace warpwright {

/// Which row a thread is at, as lines of its kernel; `width`: elements of a pack.
[[nodiscard]] QStringList cudaRowLines(const Kernel &kernel, const ThreadMapping &mapping);
/// The head of a loop over a row: one line or several, of which the last ones open `bracketsOf` brackets.
[[nodiscard]] QStringList cudaLoopLines(const Kernel &kernel, const ThreadMapping &mapping, int width,
                                        bool meets);
/// The same of a loop over single elements or packs.
[[nodiscard]] QStringList cudaFlatLoopLines(const ThreadMapping &mapping);
/// What one of several single elements stores, if it is there; `name`: free for the value, which is worked
/// out before that is asked, so that loads do not wait for each other.
[[nodiscard]] QStringList cudaPredicatedStore(const QString &type, const QString &name, const QString &target,
                                              const QString &value);
/// That share a row of a block or of a cluster: "THREADS".
[[nodiscard]] QString cudaThreadsOf(const ThreadMapping &mapping);
/// Lines for one of several elements at once, and after them: as guardOfUnalignedVector() and
/// takenVectorLines().
[[nodiscard]] QStringList cudaRescalingGuard(const ThreadMapping &mapping);
[[nodiscard]] QStringList cudaRescalingLines(const ThreadMapping &mapping);
/// Where one of them is loaded from, before any is asked for.
[[nodiscard]] QStringList cudaRescalingIndex(const ThreadMapping &mapping);
/// So many elements it works at: "kAtOnce<GROUPS>".
[[nodiscard]] QString cudaRescalingCount(const ThreadMapping &mapping);
[[nodiscard]] int bracketsOf(const ThreadMapping &mapping);
/// Shared memory in which a sum's parts meet; `isTwice`: sums of a loop, every second one in the other half.
[[nodiscard]] QStringList cudaPartialsLines(const ThreadMapping &mapping, const QString &type,
                                            const QString &name, bool isTwice = false);
/// What a loop over the row adds to, of this start, and a value of a row: of each of a thread's sums, with
/// `k` as the counter of these where `value` is told.
[[nodiscard]] QString cudaSumLine(const ThreadMapping &mapping, const QString &type, const QString &name,
                                  const QString &start);
[[nodiscard]] QStringList cudaRowValueLines(const ThreadMapping &mapping, const QString &type,
                                            const QString &name, const QString &value);
/// "sum", "sum[k]".
[[nodiscard]] QString cudaSumOfThread(const ThreadMapping &mapping, const QString &name);
/// `name` becomes the sum of all threads that share the row. `half`: "[bit % 2]", of what is there twice.
[[nodiscard]] QString cudaCombineLine(const ThreadMapping &mapping, const QString &type, const QString &name,
                                      const QString &how, const QString &half = {});
/// Where they meet once: what a thread tells of each sum before, and where they do.
[[nodiscard]] QString cudaStorePartialLine(const QString &type, const QString &name, const QString &how);
[[nodiscard]] QStringList cudaFusedReductionLines();
/// Of the one thread that writes what a row has in common, where not each has a row of its own.
[[nodiscard]] QStringList cudaRowStoreLines(const ThreadMapping &mapping, QStringList stores);

} // namespace warpwright
