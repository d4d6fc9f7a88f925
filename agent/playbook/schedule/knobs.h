// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

/// The choices that are left when a plan is to become text; each is one of the playbook's moves. A kernel for
/// which a choice means nothing takes no notice of it.
struct Knobs {
    // On a CPU
    bool hasVectorMath = false;  ///< exponentials and their like as arithmetic
    bool cachesRow = false;      ///< between loops over a row in the cache
    bool streamsResults = false; ///< past the cache
    bool hasColumnTiles = false; ///< sums over far elements for many neighbours at once
    // On a GPU
    bool hasWideLoads = false;         ///< 16 bytes a load
    bool isPersistent = false;         ///< a row in registers
    bool isClustered = false;          ///< a row is shared by the blocks of a cluster
    bool gathersThroughShared = false; ///< what a row looks up goes through shared memory
    bool usesTf32 = false;             ///< a library's products of floats, rounded to 10 bits of mantissa
    bool usesWarpGroups = false; ///< attention of halves by four warps together (compute capability 9.0)
    int config = 0; ///< threads a row, vectors a thread, a library's proposal; chosen when launched

    bool operator==(const Knobs &) const = default;
};

/// Whether a block of so many threads a row takes several rows: launching a block costs more than they do.
constexpr bool isShort(int threads) {
    return threads <= 32;
}
/// Blocks of a cluster that share a row, at most: as many as every device with clusters has room for.
constexpr int maxClusterBlocks = 8;

} // namespace warpwright
