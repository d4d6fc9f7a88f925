// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/fused_kernel.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <QStringList>

namespace warpwright {

/// Which row a thread is at, as lines of its kernel; `width`: elements of a pack.
[[nodiscard]] QStringList cudaRowLines(const FusedKernel &kernel, const CudaSharing &sharing);
/// The head of a loop over a row: one line or several, of which the last ones open `bracketsOf` brackets.
[[nodiscard]] QStringList cudaLoopLines(const FusedKernel &kernel, const CudaSharing &sharing, int width,
                                        bool meets);
/// The same of a loop over single elements or packs.
[[nodiscard]] QStringList cudaFlatLoopLines(const CudaSharing &sharing);
/// What one of several single elements stores, if it is there; `name`: free for the value, which is worked
/// out before that is asked, so that loads do not wait for each other.
[[nodiscard]] QStringList cudaAskedStore(const QString &type, const QString &name, const QString &target,
                                         const QString &value);
/// That share a row of a block or of a cluster: "THREADS".
[[nodiscard]] QString cudaThreadsOf(const CudaSharing &sharing);
/// Lines for one of several elements at once, and after them: as guardOfRaggedPack() and takenPackLines().
[[nodiscard]] QStringList cudaRisingGuard(const CudaSharing &sharing);
[[nodiscard]] QStringList cudaRisenLines(const CudaSharing &sharing);
/// Where one of them is loaded from, before any is asked for.
[[nodiscard]] QStringList cudaRisingPlace(const CudaSharing &sharing);
/// So many elements it works at: "kAtOnce<GROUPS>".
[[nodiscard]] QString cudaRisingCount(const CudaSharing &sharing);
[[nodiscard]] int bracketsOf(const CudaSharing &sharing);
/// Shared memory in which a sum's parts meet; `isTwice`: sums of a loop, every second one in the other half.
[[nodiscard]] QStringList cudaPartialsLines(const CudaSharing &sharing, const QString &type,
                                            const QString &name, bool isTwice = false);
/// What a loop over the row adds to, of this start, and a value of a row: of each of a thread's sums, with
/// `k` as the counter of these where `value` is told.
[[nodiscard]] QString cudaSumLine(const CudaSharing &sharing, const QString &type, const QString &name,
                                  const QString &start);
[[nodiscard]] QStringList cudaRowValueLines(const CudaSharing &sharing, const QString &type,
                                            const QString &name, const QString &value);
/// "sum", "sum[k]".
[[nodiscard]] QString cudaSumOfThread(const CudaSharing &sharing, const QString &name);
/// `name` becomes the sum of all threads that share the row. `half`: "[bit % 2]", of what is there twice.
[[nodiscard]] QString cudaCombineLine(const CudaSharing &sharing, const QString &type, const QString &name,
                                      const QString &how, const QString &half = {});
/// Where they meet once: what a thread tells of each sum before, and where they do.
[[nodiscard]] QString cudaTellLine(const QString &type, const QString &name, const QString &how);
[[nodiscard]] QStringList cudaMeetOnceLines();
/// Of the one thread that writes what a row has in common, where not each has a row of its own.
[[nodiscard]] QStringList cudaRowStoreLines(const CudaSharing &sharing, QStringList stores);

} // namespace warpwright
