// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/cluster_shapes.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/struct_loads.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace warpwright {
namespace {

constexpr int mostThreads = 1024;     ///< of a block
constexpr std::size_t mostShapes = 4; ///< each is compiled
constexpr int leastThreads = 128;     ///< of each block
constexpr int usualThreads = 256;

// Loads of its row by each thread of such a cluster.
double loadsOfThread(std::int64_t loads, const ClusterShape &shape) {
    return static_cast<double>(loads) / (shape.blocks * shape.threads);
}

// All rows in one wave, on nearly all SMs: a second wave takes as long as the first and leaves most of the
// device idle. Clusters of eight do not come out so: an H100 whose SMs each have room for eight blocks of 256
// threads takes 124 of them, not 132, and 128 rows are two waves (59 us for 52). Single blocks and pairs fill
// the device, and one block of 1024 threads fits whatever registers it takes. Where each thread reads four
// bytes at a time two blocks are better.
std::optional<ClusterShape> shapeOfOneRound(int processors, std::int64_t rows, std::int64_t loads,
                                            bool isWide) {
    constexpr double mostlyBusy = 0.9;
    for (const int blocksOfEach : {1, 2}) {
        const int blocks = isWide ? blocksOfEach : 2;
        const double room = isWide ? processors : blocksOfEach * processors;
        const double share = static_cast<double>(rows * blocks) / room;
        const ClusterShape shape{blocks, mostThreads};
        if (share >= mostlyBusy && share <= 1 && loadsOfThread(loads, shape) >= 1)
            return shape;
    }
    return std::nullopt;
}

// Tuned on an H100: a dozen kernels of each kind, each in sixteen shapes
// (docs/notebook/2026-11-26.md#cluster-shapes).
std::vector<ClusterShape> forCachedRows(const Kernel &kernel) {
    constexpr int enoughThreads = 768; // of an SM: with fewer it idles while a row's partial sums meet
    std::vector<ClusterShape> shapes = {{8, 256}, {4, 256}, {8, 128}, {4, 1024}, {8, 512}, {8, 1024}};
    shapes.erase(std::remove_if(shapes.begin(), shapes.end(),
                                [&](const ClusterShape &shape) {
                                    return !registersHold(kernel, shape.threads, shape.blocks);
                                }),
                 shapes.end());
    const auto first = std::find_if(shapes.begin(), shapes.end(), [&](const ClusterShape &shape) {
        return threadsAtOnce(kernel, shape.threads, shape.blocks) >= enoughThreads;
    });
    if (first != shapes.end())
        std::rotate(shapes.begin(), first, first + 1);
    return shapes;
}

// Rows for most of the device need fewer threads each.
std::vector<ClusterShape> forVectorRows(int processors, std::int64_t rows) {
    return rows > processors ? std::vector<ClusterShape>{{4, 256}, {8, 256}, {2, 1024}, {8, 1024}, {2, 256}}
                             : std::vector<ClusterShape>{{8, 256}, {4, 256}, {2, 1024}, {8, 1024}, {2, 256}};
}

// Each thread has four bytes in flight at a time: many threads are needed.
std::vector<ClusterShape> forScalarRows(const Device &device, std::int64_t rows, std::int64_t loads) {
    const double enoughThreads = threadsForMemory(device);
    constexpr double isLong = 16; // loads of each of 8192 threads
    constexpr double longThreads = 512;
    const double wanted = loadsOfThread(loads, {maxClusterBlocks, mostThreads}) >= isLong
                              ? longThreads
                              : std::clamp(enoughThreads / static_cast<double>(rows * maxClusterBlocks),
                                           double(usualThreads), double(mostThreads));
    std::vector<ClusterShape> shapes = {{8, 256}, {8, 512}, {8, 1024}};
    std::stable_sort(shapes.begin(), shapes.end(), [wanted](const ClusterShape &a, const ClusterShape &b) {
        return std::abs(std::log2(a.threads / wanted)) < std::abs(std::log2(b.threads / wanted));
    });
    shapes.push_back({2, mostThreads});
    return shapes;
}

} // namespace

bool canBeClustered(const Kernel &kernel) {
    if (!kernel.isLoops() || !kernel.hasReductions() || kernel.hasScans() || hasOnlineSoftmax(kernel) ||
        familyOf(kernel) != KernelFamily::Rows || kernel.columns() < 256 * maxClusterBlocks)
        return false;
    // A cluster would synchronize for each of many sums: 21 of them took 27 us for 13 MB.
    if (canFuseBlockReductions(kernel))
        return false;
    return hasFewRowsForDevice(deviceOf(kernel), kernel.rows()) ||
           (kernel.passCount() > 1 && !canBePersistent(kernel, false));
}

QString ClusterShape::word() const {
    return blocks == 1 ? QStringLiteral("a block of %1").arg(threads)
                       : QStringLiteral("%1 blocks of %2").arg(blocks).arg(threads);
}

std::vector<ClusterShape> clusterShapes(const Kernel &kernel, const Knobs &knobs) {
    const Device &device = deviceOf(kernel);
    const bool isWide = knobs.hasWideLoads && (widthOf(kernel) > 1 || structsPerLoad(kernel));
    const std::int64_t loads = kernel.columns() / elementsPerAccess(kernel, knobs);
    const bool isCached = knobs.isPersistent && canBePersistent(kernel, true);
    std::vector<ClusterShape> shapes = isCached ? forCachedRows(kernel)
                                       : isWide ? forVectorRows(device.processors, kernel.rows())
                                                : forScalarRows(device, kernel.rows(), loads);
    shapes.erase(
        std::remove_if(shapes.begin(), shapes.end(),
                       [&](const ClusterShape &shape) { return 2 * loadsOfThread(loads, shape) < 1; }),
        shapes.end());
    if (const auto first =
            isCached ? std::nullopt : shapeOfOneRound(device.processors, kernel.rows(), loads, isWide)) {
        shapes.erase(std::remove(shapes.begin(), shapes.end(), *first), shapes.end());
        shapes.insert(shapes.begin(), *first);
    }
    if (shapes.empty()) // rows of few loads
        shapes.push_back({2, leastThreads});
    shapes.resize(std::min(shapes.size(), mostShapes));
    return shapes;
}

} // namespace warpwright
