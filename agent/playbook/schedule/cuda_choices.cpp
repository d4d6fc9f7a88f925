// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/cuda_choices.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/cuda/cuda_sharing.h"
#include "agent/playbook/codegen/cuda/loops/row_scan_cuda.h"
#include "agent/playbook/codegen/scatter_text.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/attention_choices.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/depthwise_choices.h"
#include "agent/playbook/schedule/grouped_elements.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/own_convolution.h"
#include "agent/playbook/schedule/places_cuda.h"
#include "agent/playbook/schedule/ragged_rows.h"
#include "agent/playbook/schedule/running_places.h"
#include "agent/playbook/schedule/running_softmax.h"
#include "agent/playbook/schedule/sort_choices.h"
#include "agent/playbook/schedule/staged_gathers.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int loadBytes = 16;             ///< the widest load of a thread
constexpr int mostKept = 96;              ///< floats of a row that one thread may keep: beyond it they spill
constexpr int registersOfAll = 64 * 1024; ///< of a multiprocessor, for a block's threads to share
constexpr int registersBeside = 24;       ///< for counters and addresses
/// Threads that keep a large GPU's memory busy: half of what 132 multiprocessors hold.
constexpr double enoughThreads = 132 * 1024;
constexpr std::size_t mostChoices = 4;   ///< each is compiled
constexpr std::int64_t lineBytes = 128;  ///< that neighbouring threads' loads share
constexpr double mostThreadsOfRow = 256; ///< unless rows are few: more wait for each other
constexpr int mostGroups = 32;           ///< warps of a block
constexpr int smallBlock = 16;           ///< neighbours of one that leaves room for others
constexpr int mostKeptOfGroup = 16;      ///< floats of a row for each: more leave nobody at work
constexpr int fewRows = 264;             ///< leave multiprocessors without a block
/// More floats of a row leave no room for a second block: 512 threads with 40 each, and what they need
/// beside.
constexpr std::int64_t mostKeptOfRow = 20'480;

int keptCount(const FusedKernel &kernel) {
    return mostKeptAtOnce(scheduleOf(kernel, Keeping::All));
}

// Registers for what a thread keeps of its row.
std::int64_t keptRegisters(const FusedKernel &kernel, int threads, int blocks, int width) {
    const std::int64_t lanes = std::int64_t(width) * threads * blocks;
    const std::int64_t packs = (kernel.columns() + lanes - 1) / lanes;
    return packs * width * std::max(keptCount(kernel), 1);
}

// Floats of a row that one of a block's groups may keep: few neighbours make small blocks, of which several
// lie on a multiprocessor.
int mostOfGroup(const FusedKernel &kernel) {
    return fewNeighbours(kernel).value_or(smallBlock) < smallBlock ? 2 * mostKeptOfGroup : mostKeptOfGroup;
}

// The same where the warps of a block share the length of a row.
std::int64_t keptOfGroup(const FusedKernel &kernel, int groups) {
    return (kernel.columns() + groups - 1) / groups * std::max(keptCount(kernel), 1);
}

// How many such blocks a multiprocessor has room for.
std::int64_t blocksAtOnce(const FusedKernel &kernel, int threads, int blocks, int width) {
    const std::int64_t registers =
        (keptRegisters(kernel, threads, blocks, width) + registersBesideKept(kernel, width) + 7) / 8 * 8;
    return registersOfAll / std::max<std::int64_t>(registers, 32) / threads;
}

// One only: nobody works while its threads wait for each other.
bool isAlone(const FusedKernel &kernel, int threads, int width) {
    return blocksAtOnce(kernel, threads, 1, width) < 2;
}

/// The powers of two that promise most, the best first.
std::vector<int> nearest(std::vector<int> candidates, double wanted) {
    std::stable_sort(candidates.begin(), candidates.end(), [wanted](int a, int b) {
        return std::abs(std::log2(a / wanted)) < std::abs(std::log2(b / wanted));
    });
    candidates.resize(std::min(candidates.size(), mostChoices));
    return candidates;
}

bool hasFewRowsOfManySums(const FusedKernel &kernel) {
    return kernel.rows() < fewRows && meetsOnceForSums(kernel);
}

std::vector<int> threadsOfRow(const FusedKernel &kernel, const KernelTuning &tuning) {
    const bool isOnePass = tuning.isOnePass && canBeOnePass(kernel, false);
    const std::optional<RaggedRows> scanned = tuning.hasWideLoads ? rowScanOf(kernel) : std::nullopt;
    const int width = scanned ? scanned->width : takenAtOnce(kernel, tuning);
    const double packs = static_cast<double>(kernel.columns()) / width;
    // A scan goes from warp to warp; other rows may be shorter than one. Blocks that meet once for many sums
    // are of one row.
    const int least = kernel.hasScans() ? 32 : hasFewRowsOfManySums(kernel) ? 64 : 4;
    std::vector<int> candidates;
    for (int threads = least; threads <= 1024; threads *= 2)
        if ((!isOnePass || registersHold(kernel, threads, 1)) && (threads == least || packs * 2 >= threads))
            candidates.push_back(threads);
    if (candidates.empty())
        return {1024};
    const bool isWide = tuning.hasWideLoads && (widthOf(kernel) > 1 || widthOfGroups(kernel));
    // Threads of a scan meet after each piece: few do it quickly, and many rows keep the device busy.
    if (kernel.hasScans())
        return nearest(candidates,
                       std::clamp(enoughThreads / static_cast<double>(kernel.rows()), 64.0, 1024.0));
    // The threads of a row that is searched for ranks meet for each bit of an element.
    if (kernel.hasRanks())
        return nearest(candidates, std::min(packs, 128.0));
    // Tuned on an H200, 60 kernels (docs/notebook/2026-11-22.md#which-config-comes-first): so much for each
    // thread to do, where rows are enough for that. A row that is kept is read but once, and less of it a
    // thread leaves more threads room.
    const double most = isOnePass ? (isWide ? 4 : 12) : (isWide ? 6 : 20);
    const double loads = std::clamp(static_cast<double>(kernel.rows()) * packs / enoughThreads, 1.0, most);
    const double fewest = isOnePass && isWide ? std::min(packs, 16.0) : 4;
    const double wanted = std::max(packs / loads, fewest);
    // Elements that are kept one by one need their registers: a block with fewer threads leaves less at work.
    const bool isCapped = loads >= most && (isWide || !isOnePass);
    // A softmax's threads that take elements one by one have many of them on their way.
    if (!isWide && runsAlong(kernel) && kernel.columns() >= leastOfRisingRow) {
        candidates.erase(std::remove_if(candidates.begin(), candidates.end(), isShort), candidates.end());
        return nearest(candidates, std::min(wanted, 128.0));
    }
    std::vector<int> choices = nearest(candidates, isCapped ? std::min(wanted, mostThreadsOfRow) : wanted);
    if (isOnePass)
        std::stable_partition(choices.begin(), choices.end(), [&](int threads) {
            return !isAlone(kernel, threads, isWide ? widthOf(kernel) : 1);
        });
    return choices;
}

// A thread a row: where those are few, small blocks lie on more multiprocessors.
std::vector<int> threadsOfRows(const FusedKernel &kernel) {
    return static_cast<double>(kernel.rows()) < enoughThreads ? std::vector<int>{32, 64, 128, 256}
                                                              : std::vector<int>{128, 256, 64, 512};
}

// A thread that keeps a dozen elements has as many loads on their way, and a block is small enough for others
// beside it.
std::vector<int> groupsThatKeep(const FusedKernel &kernel, std::vector<int> groups) {
    constexpr double wanted = 12;
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [&](int some) { return keptOfGroup(kernel, some) > mostOfGroup(kernel); }),
                 groups.end());
    if (groups.empty())
        groups.push_back(mostGroups);
    return nearest(std::move(groups),
                   static_cast<double>(kernel.columns()) * std::max(keptCount(kernel), 1) / wanted);
}

} // namespace

namespace {

// A thread's pack of more than 16 bytes is several loads, each of which leaves out what the neighbours'
// others take: lines of the cache are looked up as many times. Where that takes longer than the memory, fewer
// elements.
int widestPack(const FusedKernel &kernel, int width) {
    constexpr double memoryCycles = 2.2; // of a warp's loads of a byte a thread, on a multiprocessor
    double memory = 0;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (!leaf.isPlain() || kernel.levelOf(leaf.address) == StepLevel::Element)
            memory += memoryCycles * bytesOf(leaf.type);
    for (const KernelStore &store : kernel.stores)
        if (kernel.levelOf(store.address) == StepLevel::Element)
            memory += memoryCycles * bytesOf(store.type);
    const auto cycles = [&kernel](int wide) {
        double sum = 0;
        for (const KernelLeaf &leaf : kernel.leaves)
            if (const int bytes = bytesOf(leaf.type); leaf.isPlain() &&
                                                      kernel.levelOf(leaf.address) == StepLevel::Column &&
                                                      bytes * wide > loadBytes)
                sum += bytes * bytes * wide / 64.0;
        return sum;
    };
    while (width > 1 && kernel.outer > 0 && cycles(width) > memory)
        width /= 2;
    return width;
}

} // namespace

std::int64_t keptByThread(const FusedKernel &kernel, int threads) {
    return keptRegisters(kernel, threads, 1, widthOf(kernel));
}

bool registersHold(const FusedKernel &kernel, int threads, int blocks) {
    return keptRegisters(kernel, threads, blocks, widthOf(kernel)) <=
           std::min(mostKept, registersOfAll / threads - registersBeside);
}

std::int64_t threadsAtOnce(const FusedKernel &kernel, int threads, int blocks) {
    return threads * blocksAtOnce(kernel, threads, blocks, widthOf(kernel));
}

int registersBesideKept(const FusedKernel &kernel, int width) {
    // Counters and addresses, and packs that are on their way.
    const auto packs = std::count_if(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
        return leaf.isPlain() && isWide(kernel, leaf.address, width);
    });
    const auto gathered =
        std::count_if(kernel.steps.begin(), kernel.steps.end(),
                      [&](const KernelStep &step) { return isGatheredPack(kernel, step, width); });
    return 12 + (width > 1 ? width * static_cast<int>(packs + gathered) : 0);
}

namespace {

/// Two, where rows of neighbours begin within sectors of memory: a warp's 32 floats are five of them then,
/// and 64 are nine. An H100: a norm over 192 channels of 6300 pixels 140 -> 113 us, in halves 151 -> 125;
/// with four a thread no better.
int sumsOfThread(const FusedKernel &kernel) {
    constexpr int two = 2;
    constexpr std::int64_t sectorBytes = 32;
    constexpr std::int64_t fewestRows = 528 * 64; // blocks that keep a large GPU busy
    constexpr std::ptrdiff_t mostSums = 3;        // whose parts fit into 48 KiB
    const auto isSum = [](const KernelStep &step) {
        return isReduction(step.op);
    };
    const bool isPlain = std::all_of(kernel.leaves.begin(), kernel.leaves.end(),
                                     [](const KernelLeaf &leaf) { return leaf.isPlain(); }) &&
                         std::none_of(kernel.steps.begin(), kernel.steps.end(),
                                      [](const KernelStep &step) { return step.isGuarded; });
    if (!isPlain || kernel.hasRanks() || kernel.outer == 0 || kernel.rows() < fewestRows ||
        std::count_if(kernel.steps.begin(), kernel.steps.end(), isSum) > mostSums ||
        !canBeOnePass(kernel, false) || !(withRunningPlaces(kernel) == kernel) ||
        keptOfGroup(kernel, mostGroups) * two > mostKeptOfGroup)
        return 1;
    const std::size_t along = neighbourLoop(kernel);
    bool isWithinSectors = false;
    const auto fits = [&](const AffineIndex &address, ElementType type) {
        if (kernel.levelOf(address) != StepLevel::Element)
            return true;
        for (std::size_t k = 0; k < address.steps.size(); ++k)
            isWithinSectors =
                isWithinSectors || (k != along && address.steps[k] * bytesOf(type) % sectorBytes != 0);
        return isWide(kernel, address, two);
    };
    const bool doFit = std::all_of(kernel.leaves.begin(), kernel.leaves.end(),
                                   [&](const KernelLeaf &leaf) { return fits(leaf.address, leaf.type); }) &&
                       std::all_of(kernel.stores.begin(), kernel.stores.end(),
                                   [&](const KernelStore &store) { return fits(store.address, store.type); });
    return doFit && isWithinSectors ? two : 1;
}

} // namespace

bool canBeWide(const FusedKernel &kernel) {
    return widthOf(kernel) > 1 || widthOfGroups(kernel) || rowsOfThread(kernel) > 1 || rowScanOf(kernel);
}

int widthOf(const FusedKernel &kernel) {
    if (tiledLoopsOf(kernel) || withPlacesInThreads(kernel)) // along which neither reads
        return 1;
    if (kernel.hasReductions() && kernel.outer == kernel.loops.size()) // rows of one element
        return 1;
    // A thread of a scan or of a window takes element by element.
    const KernelFamily family = familyOf(kernel);
    if (kernel.hasScans() || family == KernelFamily::Windows)
        return 1;
    if (family == KernelFamily::Columns)
        return sumsOfThread(kernel);
    if (const std::optional<RaggedRows> ragged = raggedRowsOf(kernel))
        return ragged->width;
    int largest = 1;
    // What is one for all neighbours is no part of a pack.
    // What is one for all rows is in the caches, and a pack of it may be several loads.
    for (const KernelLeaf &leaf : kernel.leaves)
        if (kernel.levelOf(leaf.address) >= (kernel.outer > 0 ? StepLevel::Element : StepLevel::Column) &&
            (leaf.address.steps.empty() || leaf.address.steps.back() != 0 || !leaf.isPlain()))
            largest = std::max(largest, bytesOf(leaf.type));
    for (const KernelStore &store : kernel.stores)
        if (kernel.levelOf(store.address) >= StepLevel::Column)
            largest = std::max(largest, bytesOf(store.type));
    const bool hasGaps = std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [](const KernelLeaf &leaf) {
        const std::int64_t step = leaf.address.steps.empty() ? 0 : std::abs(leaf.address.steps.back());
        return leaf.isPlain() && step > 1 && step * bytesOf(leaf.type) < lineBytes;
    });
    for (int width = widestPack(kernel, loadBytes / largest / storesOfRun(kernel)); width > 1; width /= 2) {
        const bool isLoaded =
            std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                        [&](const KernelLeaf &leaf) {
                            // What is one for all rows is in the cache: packs of that alone spare nothing.
                            return leaf.isPlain() &&
                                   (kernel.outer == 0 ||
                                    kernel.levelOf(leaf.address) == StepLevel::Element) &&
                                   (isWide(kernel, leaf.address, width) || isSpread(kernel, leaf, width));
                        }) ||
            std::any_of(kernel.steps.begin(), kernel.steps.end(),
                        [&](const KernelStep &step) { return isGatheredPack(kernel, step, width); });
        // Where what is read lies apart, where that is, is worked out once for all of them. Not where
        // neighbours read one line of memory: with more for each they share fewer.
        const bool isStored =
            !hasGaps &&
            std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
                return kernel.levelOf(store.address) >= StepLevel::Column &&
                       isWide(kernel, store.address, width);
            });
        if (isLoaded || isStored)
            return width;
    }
    return 1;
}

bool isOurs(const FusedKernel &kernel) {
    return kernel.anchor == Anchor::None || kernel.anchor == Anchor::Attention ||
           kernel.anchor == Anchor::ScatteredRows || kernel.anchor == Anchor::SortedRows ||
           isSmallProduct(kernel) || isOwnProduct(kernel) || isOwnConvolution(kernel) ||
           (kernel.anchor == Anchor::Convolution && kernel.convolution.isDepthwise());
}

bool runsAlong(const FusedKernel &kernel) {
    const std::vector<RunningSoftmax> running = runningSoftmaxOf(kernel);
    if (running.empty())
        return false;
    const bool isWhole = withRunningSums(kernel, running).passCount() == 1;
    if (familyOf(kernel) == KernelFamily::Columns)
        return isWhole || keptOfGroup(kernel, mostGroups) > mostOfGroup(kernel);
    if (familyOf(kernel) != KernelFamily::Rows || kernel.rows() < fewRows)
        return false;
    return isWhole || keptCount(kernel) * kernel.columns() > mostKeptOfRow;
}

bool meetsOnceForSums(const FusedKernel &kernel) {
    constexpr std::ptrdiff_t fewSums = 8;
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    return sums > fewSums && kernel.anchor == Anchor::None && familyOf(kernel) == KernelFamily::Rows &&
           kernel.passCount() == 1 && !kernel.hasScans() && !kernel.hasRanks() && !runsAlong(kernel) &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
               return kernel.levelOf(store.address) <= StepLevel::Row;
           });
}

std::optional<int> fewNeighbours(const FusedKernel &kernel) {
    if (familyOf(kernel) != KernelFamily::Columns || kernel.loops.size() != kernel.outer + 1)
        return std::nullopt;
    const std::int64_t few = kernel.loops[kernel.outer - 1];
    const auto isInOrder = [&](const KernelLeaf &leaf) {
        return leaf.isPlain() && leaf.address.steps.back() == few &&
               leaf.address.steps[kernel.outer - 1] == 1;
    };
    const bool areInOrder =
        std::all_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
            return kernel.levelOf(leaf.address) < StepLevel::Element || isInOrder(leaf);
        });
    return few > 1 && few < 32 && areInOrder ? std::optional(static_cast<int>(few)) : std::nullopt;
}

bool canBeClustered(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::None || !kernel.hasReductions() || kernel.hasScans() || runsAlong(kernel) ||
        familyOf(kernel) != KernelFamily::Rows || kernel.columns() < 256 * blocksOfCluster)
        return false;
    // Blocks of a cluster would meet for each of many sums: 21 of them took 27 us for 13 MB.
    if (meetsOnceForSums(kernel))
        return false;
    return kernel.rows() < fewRows || (kernel.passCount() > 1 && !canBeOnePass(kernel, false));
}

bool canBeOnePass(const FusedKernel &kernel, bool isClustered) {
    if (kernel.anchor != Anchor::None || !kernel.hasReductions() || kernel.hasScans() ||
        kernel.passCount() < 2 || runsAlong(kernel))
        return false;
    // Places that run along need no second loop: nothing has to be kept, and any number of groups do.
    if (familyOf(kernel) == KernelFamily::Columns)
        return !isClustered && withRunningPlaces(kernel).passCount() > 1 &&
               keptOfGroup(kernel, mostGroups) <= mostOfGroup(kernel);
    if (familyOf(kernel) != KernelFamily::Rows)
        return false;
    const int blocks = isClustered ? blocksOfCluster : 1;
    return registersHold(kernel, 1024, blocks) || registersHold(kernel, 512, blocks);
}

QStringList choiceWords(const FusedKernel &kernel, const KernelTuning &tuning) {
    QStringList words;
    if (tuning.isClustered && canBeClustered(kernel))
        for (const ClusterShape &shape : clusterShapes(kernel, tuning))
            words << shape.word();
    else
        for (const int choice : configChoices(kernel, tuning))
            words << (choice == ofTwoPacks ? QStringLiteral("two packs a thread") : QString::number(choice));
    return words;
}

bool canTakeTwoPacks(const FusedKernel &kernel, const KernelTuning &tuning) {
    constexpr std::int64_t least = 1 << 19; // two for each thread that a large GPU holds
    if (!tuning.hasWideLoads || familyOf(kernel) != KernelFamily::Pointwise || !kernel.scatter.isEmpty() ||
        tiledLoopsOf(kernel) || (tuning.stagesRows && stagedGatherOf(kernel)))
        return false;
    const int width = widthOf(kernel);
    const std::int64_t packs = packsOf(kernel, width);
    return width > 1 && packs >= least && packs % (2 * flatThreads) == 0;
}

std::vector<int> configChoices(const FusedKernel &kernel, const KernelTuning &tuning) {
    if (kernel.anchor == Anchor::Convolution && kernel.convolution.isDepthwise()) {
        std::vector<int> results;
        const int bytes = kernel.leaves[0].type == ElementType::Float64 ? 8 : 4;
        for (const DepthwiseCut &cut : depthwiseCuts(kernel.convolution, bytes))
            results.push_back(cut.across * cut.down);
        return results;
    }
    if (isTurnProduct(kernel))
        return turnProductWarps(kernel);
    if (isOwnProduct(kernel) || isOwnConvolution(kernel))
        return {0};
    if (isSmallProduct(kernel))
        return smallProductRows(kernel);
    if (kernel.anchor == Anchor::ScatteredRows)
        return scatterThreads();
    if (kernel.anchor == Anchor::SortedRows)
        return sortedOfThread(kernel);
    if (kernel.anchor == Anchor::Attention) {
        std::vector<int> rows;
        for (const AttentionCut &cut : attentionCuts(kernel, takesWarpGroups(kernel, tuning)))
            rows.push_back(cut.rows());
        return rows;
    }
    // A library's proposals. Where cuDNN writes a kernel, each takes it half a second.
    if (kernel.anchor == Anchor::Convolution && !kernel.epilogue.isReady())
        return {0, 1};
    if (kernel.anchor != Anchor::None)
        return {0, 1, 2, 3};
    if (const auto tiled = tiledLoopsOf(kernel)) {
        std::vector<int> elements;
        for (const TileSize &size : tileSizes(kernel, *tiled))
            elements.push_back(size.columns * size.across);
        return elements;
    }
    if (kernel.isOfPlaces || withPlacesInThreads(kernel))
        return {512, 256, 1024, 128}; // what they read lies in a few rows, which a block has in common
    if (const auto staged = tuning.stagesRows ? stagedGatherOf(kernel) : std::nullopt)
        return stagingThreads(*staged);
    // As many blocks as there is work for, each thread with a pack of 16 bytes, or four elements.
    if (!kernel.hasReductions())
        return {0, 32, canTakeTwoPacks(kernel, tuning) ? ofTwoPacks : 16, 8};
    if (tuning.hasWideLoads && rowsOfThread(kernel) > 1)
        return threadsOfRows(kernel);
    if (isColumnScan(kernel))
        return groupsOfScan(kernel);
    if (familyOf(kernel) == KernelFamily::Columns) {
        std::vector<int> groups = {4};
        while (groups.back() < mostGroups && groups.back() * 8 <= kernel.columns())
            groups.push_back(groups.back() * 2);
        if (tuning.isOnePass && canBeOnePass(kernel, false))
            return groupsThatKeep(kernel, std::move(groups));
        // What a thread has summed rises with several elements at once. An H100 liked some 20 of them a
        // thread: 840 us for 1407 with 200 (`talking_heads`), 80 for 88 with ten (`expected_depth`).
        if (runsAlong(kernel))
            return nearest(groups, static_cast<double>(kernel.columns()) / 20);
        const double fewest = static_cast<double>(flatThreads) / fewNeighbours(kernel).value_or(flatThreads);
        return nearest(groups, std::max(enoughThreads / static_cast<double>(kernel.rows()), fewest));
    }
    if (familyOf(kernel) == KernelFamily::Windows)
        return threadsOfRows(kernel);
    if (tuning.isClustered && canBeClustered(kernel)) {
        std::vector<int> threads;
        for (const ClusterShape &shape : clusterShapes(kernel, tuning))
            threads.push_back(shape.blocks * shape.threads);
        return threads;
    }
    return threadsOfRow(kernel, tuning);
}

} // namespace warpwright
