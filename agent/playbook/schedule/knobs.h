// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

/// The knobs of a kernel when its program becomes text; each is one of the playbook's moves. A kernel ignores
/// those that mean nothing for it.
struct Knobs {
    // On a CPU
    bool hasVectorMath = false;  ///< exponentials and the like as plain arithmetic
    bool cachesRow = false;      ///< keeps a row in the cache between loops over it
    bool streamsResults = false; ///< non-temporal stores
    bool hasColumnTiles = false; ///< strided sums for many adjacent columns at once
    // On a GPU
    bool hasWideLoads = false;         ///< 16-byte loads
    bool isPersistent = false;         ///< a row stays in registers
    bool isClustered = false;          ///< the blocks of a cluster share a row
    bool gathersThroughShared = false; ///< gathers of a row go through shared memory
    bool usesTf32 = false;             ///< float matmuls of a library, rounded to TF32 (10 bits of mantissa)
    bool usesWarpGroups = false;       ///< attention of halves with wgmma (compute capability 9.0)
    int config = 0; ///< threads per row, vectors per thread, a library's algorithm; chosen at launch

    bool operator==(const Knobs &) const = default;
};

/// Whether a block of so many threads per row takes several rows: launching a block costs more than they do.
constexpr bool isShort(int threads) {
    return threads <= 32;
}
/// Most blocks of a cluster that share a row: what every device with clusters has room for.
constexpr int maxClusterBlocks = 8;

} // namespace warpwright
