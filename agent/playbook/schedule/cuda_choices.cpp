// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/cuda_choices.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/attention_choices.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/depthwise_choices.h"
#include "agent/playbook/schedule/grouped_elements.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/own_convolution.h"
#include "agent/playbook/schedule/packs_of_rows.h"
#include "agent/playbook/schedule/places_cuda.h"
#include "agent/playbook/schedule/row_scans.h"
#include "agent/playbook/schedule/sort_choices.h"
#include "agent/playbook/schedule/staged_gathers.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::size_t mostChoices = 4;   ///< each is compiled
constexpr double mostThreadsOfRow = 256; ///< unless rows are few: more wait for each other

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
    return hasFewRowsForDevice(deviceOf(kernel), kernel.rows()) && meetsOnceForSums(kernel);
}

std::vector<int> threadsOfRow(const FusedKernel &kernel, const KernelTuning &tuning) {
    const bool isOnePass = tuning.isOnePass && canBeOnePass(kernel, false);
    const std::optional<RaggedRows> scanned = tuning.hasWideLoads ? rowScanOf(kernel) : std::nullopt;
    const int width = scanned ? scanned->width : takenAtOnce(kernel, tuning);
    const double packs = static_cast<double>(kernel.columns()) / width;
    const double enoughThreads = threadsForMemory(deviceOf(kernel));
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
    return static_cast<double>(kernel.rows()) < threadsForMemory(deviceOf(kernel))
               ? std::vector<int>{32, 64, 128, 256}
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
        groups.push_back(mostWarpsOfBlock);
    return nearest(std::move(groups),
                   static_cast<double>(kernel.columns()) * std::max(keptValues(kernel), 1) / wanted);
}

} // namespace

bool canBeWide(const FusedKernel &kernel) {
    return widthOf(kernel) > 1 || widthOfGroups(kernel) || rowsOfThread(kernel) > 1 || rowScanOf(kernel);
}

bool isOurs(const FusedKernel &kernel) {
    return kernel.anchor == Anchor::None || kernel.anchor == Anchor::Attention ||
           kernel.anchor == Anchor::ScatteredRows || kernel.anchor == Anchor::SortedRows ||
           isSmallProduct(kernel) || isOwnProduct(kernel) || isOwnConvolution(kernel) ||
           (kernel.anchor == Anchor::Convolution && kernel.convolution.isDepthwise());
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

std::vector<int> scatterThreads() {
    return {256, 128, 512, 1024};
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
        while (groups.back() < mostWarpsOfBlock && groups.back() * 8 <= kernel.columns())
            groups.push_back(groups.back() * 2);
        if (tuning.isOnePass && canBeOnePass(kernel, false))
            return groupsThatKeep(kernel, std::move(groups));
        // What a thread has summed rises with several elements at once. An H100 liked some 20 of them a
        // thread: 840 us for 1407 with 200 (`talking_heads`), 80 for 88 with ten (`expected_depth`).
        if (runsAlong(kernel))
            return nearest(groups, static_cast<double>(kernel.columns()) / 20);
        const double fewest = static_cast<double>(flatThreads) / fewNeighbours(kernel).value_or(flatThreads);
        return nearest(
            groups,
            std::max(threadsForMemory(deviceOf(kernel)) / static_cast<double>(kernel.rows()), fewest));
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
