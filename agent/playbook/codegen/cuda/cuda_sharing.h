// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/fused_kernel.h"
#include "agent/playbook/schedule/kernel_tuning.h"

#include <QStringList>

namespace warpwright {

/// How threads share a kernel's loops.
enum class CudaMode {
    Flat,           ///< element by element, as many at a time as there are threads
    BlockOfRow,     ///< one block, one row
    LanesOfRows,    ///< a warp's threads take neighbouring rows, several warps share their length
    LanesOfScan,    ///< the same for what runs along the rows
    ThreadOfRow,    ///< one thread, one row
    PackOfRows,     ///< one thread, some rows that lie side by side
    SlidingWindows, ///< one thread, some rows that lie below each other and have elements in common
    Tiles,          ///< one block, one tile, that is read along one loop and written along another
};

struct CudaSharing {
    CudaMode mode = CudaMode::Flat;
    bool isOnePass = false;    ///< registers hold a row
    bool isClustered = false;  ///< the blocks of a cluster share a row
    bool hasShortRows = false; ///< some choices of the launcher give a block several rows
    int threadsOfShorts = 256; ///< of such a block
    int together = 1;          ///< elements that a thread works at, where they are no pack
    bool isStaged = false;     ///< a block has what its row looks up in shared memory
    bool hasTwoPacks = false;  ///< some choices of the launcher give a thread two packs
    int sums = 1;              ///< LanesOfRows: neighbours that a thread takes, a pack of them
    int lanes = 32;            ///< LanesOfRows: neighbours of a block, side by side in memory
    bool loadsAhead = false;   ///< a loop over packs: its loads are on their way together
    /// A thread: loads of several tensors are on their way together.
    bool hasManyRegisters = false;
    /// A loop over packs: whether one is the row's is known when compiled, but for the last.
    bool onlyLastAsks = false;
    /// A loop over elements: a row's largest one so far rises to several at a time.
    bool risesAtOnce = false;
    /// A block's threads meet once for all sums of a row, and one goes on with them.
    bool meetsOnce = false;

    bool operator==(const CudaSharing &) const = default;
};
[[nodiscard]] CudaSharing cudaSharingOf(const FusedKernel &kernel, const KernelTuning &tuning);

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
