// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/ptxas_report.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// What one SM of an architecture has.
struct MultiprocessorLimits {
    QString architecture; ///< "sm_90", without the letter
    int warps = 0;        ///< resident at once
    int blocks = 0;
    int barriers = 0; ///< for all resident blocks; 0: they never limit
    int registers = 65536;
    int registersPerThread = 255;
    int sharedBytes = 0;         ///< where all that can be is shared memory and not L1 cache
    int sharedBytesPerBlock = 0; ///< the most a block may ask for, with cudaFuncSetAttribute
    int sharedBytesOfSystem = 0; ///< taken from each block's share
    int sharedLump = 128;        ///< bytes are handed out in multiples of this

    bool operator==(const MultiprocessorLimits &) const = default;
};

/// "sm_90a" or "sm_90". Nothing for an architecture we have no numbers of: a guess would be taken for a fact.
[[nodiscard]] std::optional<MultiprocessorLimits> multiprocessorLimits(const QString &architecture);

/// What a launch asks for.
struct BlockNeeds {
    int threads = 256;
    int registers = 0;   ///< of a thread
    int sharedBytes = 0; ///< static and dynamic
    int barriers = 0;
    int launchThreads = 0; ///< of __launch_bounds__; 0: none

    bool operator==(const BlockNeeds &) const = default;
};

/// How many warps an SM holds at once, and why not more.
struct Occupancy {
    enum class Limiter { Blocks, Warps, Registers, SharedMemory, Barriers, LaunchBound };

    int threads = 0; ///< of a block
    int blocks = 0;  ///< resident; 0: the launch fails, and the limiters say why
    int warps = 0;
    int maxWarps = 0;
    std::vector<Limiter> limiters; ///< all that allow no more blocks than `blocks`

    [[nodiscard]] double share() const { return maxWarps == 0 ? 0 : static_cast<double>(warps) / maxWarps; }
    bool operator==(const Occupancy &) const = default;
};

[[nodiscard]] Occupancy occupancyOf(const MultiprocessorLimits &limits, const BlockNeeds &needs);

/// "registers", "shared memory"
[[nodiscard]] QString limiterName(Occupancy::Limiter limiter);
[[nodiscard]] QStringList limiterNames(const Occupancy &occupancy);

/// The sizes of blocks worth looking at when nobody says which is launched: 128, 256, 512 and 1024, no more
/// than the kernel's own launch bound, and that bound itself.
[[nodiscard]] std::vector<int> usualBlockSizes(int launchThreads);

/// Of a compiled kernel in blocks of its launch bound, else of each usual size for which its registers
/// suffice; without dynamic shared memory. Empty: nothing is known of its architecture.
[[nodiscard]] std::vector<Occupancy> occupanciesOf(const KernelResources &kernel, int launchThreads);
/// "50 %", "38–50 %": the least and the most of them.
[[nodiscard]] QString occupancyRange(const std::vector<Occupancy> &occupancies);

} // namespace warpwright
