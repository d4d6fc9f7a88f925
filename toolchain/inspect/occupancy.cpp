// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/occupancy.h"

#include <algorithm>
#include <array>
#include <climits>

namespace warpwright {
namespace {

constexpr int warpSize = 32;
constexpr int mostThreads = 1024;
constexpr int registerLump = 256; // a warp gets multiples of this
constexpr int schedulers = 4;     // each has its own quarter of the registers

struct Row {
    const char *architecture;
    int warps;
    int blocks;
    int barriersPerBlock; // of an SM that is full of blocks; 0: more than can be asked for
    int sharedKib;
    int sharedPerBlockKib;
    int ofSystemKib;
    int lump;
};

// CUDA Programming Guide 13, «Compute Capabilities», tables of technical specifications: resident warps and
// blocks, shared memory of an SM and of a block. From 8.0 on, the system takes 1 KiB of each
// block's shared memory (same guide, «Shared Memory»). The lump and the barriers are nowhere published; they
// were found by asking cuda_occupancy.h of CUDA 13.0, and tst_toolchain TestOccupancy asks it again.
constexpr std::array<Row, 12> rows{{{"sm_75", 32, 16, 0, 64, 64, 0, 256},
                                    {"sm_80", 64, 32, 0, 164, 163, 1, 128},
                                    {"sm_86", 48, 16, 0, 100, 99, 1, 128},
                                    {"sm_87", 48, 16, 0, 164, 163, 1, 128},
                                    {"sm_89", 48, 24, 0, 100, 99, 1, 128},
                                    {"sm_90", 64, 32, 2, 228, 227, 1, 128},
                                    {"sm_100", 64, 32, 2, 228, 227, 1, 128},
                                    {"sm_101", 48, 24, 1, 228, 227, 1, 128},
                                    {"sm_103", 64, 32, 2, 228, 227, 1, 128},
                                    {"sm_110", 48, 24, 1, 228, 227, 1, 128},
                                    {"sm_120", 48, 24, 1, 100, 99, 1, 128},
                                    {"sm_121", 48, 24, 1, 100, 99, 1, 128}}};

int rounded(int value, int lump) {
    return (value + lump - 1) / lump * lump;
}

} // namespace

std::optional<MultiprocessorLimits> multiprocessorLimits(const QString &architecture) {
    QString plain = architecture;
    if (plain.endsWith(QLatin1Char('a')) || plain.endsWith(QLatin1Char('f')))
        plain.chop(1);
    for (const Row &row : rows) {
        if (plain != QLatin1String(row.architecture))
            continue;
        MultiprocessorLimits limits;
        limits.architecture = plain;
        limits.warps = row.warps;
        limits.blocks = row.blocks;
        limits.barriers = row.blocks * row.barriersPerBlock;
        limits.sharedBytes = row.sharedKib * 1024;
        limits.sharedBytesPerBlock = row.sharedPerBlockKib * 1024;
        limits.sharedBytesOfSystem = row.ofSystemKib * 1024;
        limits.sharedLump = row.lump;
        return limits;
    }
    return std::nullopt;
}

Occupancy occupancyOf(const MultiprocessorLimits &limits, const BlockNeeds &needs) {
    Occupancy found;
    found.threads = needs.threads;
    found.maxWarps = limits.warps;
    const int warps = std::max(1, (needs.threads + warpSize - 1) / warpSize);

    const int byWarps = needs.threads > mostThreads ? 0 : limits.warps / warps;

    int byRegisters = INT_MAX;
    if (needs.registers > limits.registersPerThread) {
        byRegisters = 0;
    } else if (needs.registers > 0) {
        const int perWarp = rounded(needs.registers * warpSize, registerLump);
        // A launch is refused where the block does not fit with its warps spread evenly.
        if (perWarp * rounded(warps, schedulers) > limits.registers)
            byRegisters = 0;
        else
            byRegisters = limits.registers / schedulers / perWarp * schedulers / warps;
    }

    int byShared = INT_MAX;
    if (needs.sharedBytes > limits.sharedBytesPerBlock)
        byShared = 0;
    else if (const int taken = rounded(needs.sharedBytes + limits.sharedBytesOfSystem, limits.sharedLump);
             taken > 0)
        byShared = limits.sharedBytes / taken;

    const int byBarriers =
        needs.barriers > 0 && limits.barriers > 0 ? limits.barriers / needs.barriers : INT_MAX;

    const int byBound = needs.launchThreads > 0 && needs.threads > needs.launchThreads ? 0 : INT_MAX;

    found.blocks = std::min({byWarps, limits.blocks, byRegisters, byShared, byBarriers, byBound});
    found.warps = found.blocks * warps;
    const auto limit = [&found](int blocks, Occupancy::Limiter limiter) {
        if (blocks == found.blocks)
            found.limiters.push_back(limiter);
    };
    limit(byWarps, Occupancy::Limiter::Warps);
    limit(byRegisters, Occupancy::Limiter::Registers);
    limit(byShared, Occupancy::Limiter::SharedMemory);
    limit(limits.blocks, Occupancy::Limiter::Blocks);
    limit(byBarriers, Occupancy::Limiter::Barriers);
    limit(byBound, Occupancy::Limiter::LaunchBound);
    return found;
}

QString limiterName(Occupancy::Limiter limiter) {
    switch (limiter) {
    case Occupancy::Limiter::Blocks:
        return QStringLiteral("blocks");
    case Occupancy::Limiter::Warps:
        return QStringLiteral("warps");
    case Occupancy::Limiter::Registers:
        return QStringLiteral("registers");
    case Occupancy::Limiter::SharedMemory:
        return QStringLiteral("shared memory");
    case Occupancy::Limiter::LaunchBound:
        return QStringLiteral("launch bound");
    case Occupancy::Limiter::Barriers:
        break;
    }
    return QStringLiteral("barriers");
}

QStringList limiterNames(const Occupancy &occupancy) {
    QStringList names;
    for (const Occupancy::Limiter limiter : occupancy.limiters)
        names << limiterName(limiter);
    return names;
}

std::vector<int> usualBlockSizes(int launchThreads) {
    std::vector<int> sizes;
    for (const int size : {128, 256, 512, 1024})
        if (launchThreads <= 0 || size < launchThreads)
            sizes.push_back(size);
    if (launchThreads > 0)
        sizes.push_back(launchThreads);
    return sizes;
}

std::vector<Occupancy> occupanciesOf(const KernelResources &kernel, int launchThreads) {
    const std::optional<MultiprocessorLimits> limits = multiprocessorLimits(kernel.arch);
    if (!limits)
        return {};
    std::vector<Occupancy> found;
    for (const int threads : launchThreads > 0 ? std::vector<int>{launchThreads} : usualBlockSizes(0)) {
        BlockNeeds needs;
        needs.threads = threads;
        needs.registers = kernel.registers;
        needs.sharedBytes = kernel.staticSharedBytes;
        needs.barriers = kernel.barriers;
        needs.launchThreads = launchThreads;
        if (threads <= kernel.maxThreads || launchThreads > 0)
            found.push_back(occupancyOf(*limits, needs));
    }
    return found;
}

QString occupancyRange(const std::vector<Occupancy> &occupancies) {
    if (occupancies.empty())
        return QStringLiteral("\u2014");
    const auto [least, most] = std::minmax_element(
        occupancies.begin(), occupancies.end(),
        [](const Occupancy &one, const Occupancy &other) { return one.share() < other.share(); });
    const int low = qRound(100 * least->share());
    const int high = qRound(100 * most->share());
    return low == high ? QStringLiteral("%1 %").arg(low) : QStringLiteral("%1\u2013%2 %").arg(low).arg(high);
}

} // namespace warpwright
