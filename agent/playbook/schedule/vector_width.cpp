// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/vector_width.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/knobs.h"
#include "agent/playbook/schedule/online_argmax.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/unaligned_rows.h"
#include "agent/playbook/schedule/vectorization.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <cstdlib>

namespace warpwright {
namespace {

constexpr int loadBytes = 16;           ///< the widest load of a thread
constexpr int maxCached = 96;           ///< floats of a row cached per thread: beyond it they spill
constexpr int reservedRegisters = 24;   ///< for counters and addresses
constexpr std::int64_t lineBytes = 128; ///< that neighbouring threads' loads share

// Registers for a thread's cached part of its row.
std::int64_t cacheRegisters(const Kernel &kernel, int threads, int blocks, int width) {
    const std::int64_t lanes = std::int64_t(width) * threads * blocks;
    const std::int64_t vecs = (kernel.columns() + lanes - 1) / lanes;
    return vecs * width * std::max(cachedValues(kernel), 1);
}

// A thread's vector of more than 16 bytes is several loads, each of which skips what the others take: cache
// lines are looked up as many times. Where that takes longer than the memory, narrower vectors.
int widestVector(const Kernel &kernel, int width) {
    constexpr double memoryCycles = 2.2; // of a warp's loads of a byte a thread, on an SM
    double memory = 0;
    for (const KernelInput &input : kernel.inputs)
        if (!input.isPlain() || kernel.levelOf(input.address) == StepLevel::Element)
            memory += memoryCycles * bytesOf(input.type);
    for (const KernelStore &store : kernel.stores)
        if (kernel.levelOf(store.address) == StepLevel::Element)
            memory += memoryCycles * bytesOf(store.type);
    const auto cycles = [&kernel](int wide) {
        double sum = 0;
        for (const KernelInput &input : kernel.inputs)
            if (const int bytes = bytesOf(input.type); input.isPlain() &&
                                                       kernel.levelOf(input.address) == StepLevel::Column &&
                                                       bytes * wide > loadBytes)
                sum += bytes * bytes * wide / 64.0;
        return sum;
    };
    while (width > 1 && kernel.outer > 0 && cycles(width) > memory)
        width /= 2;
    return width;
}

} // namespace

std::int64_t cachedPerThread(const Kernel &kernel, int threads) {
    return cacheRegisters(kernel, threads, 1, widthOf(kernel));
}

bool registersHold(const Kernel &kernel, int threads, int blocks) {
    return cacheRegisters(kernel, threads, blocks, widthOf(kernel)) <=
           std::min(maxCached, deviceOf(kernel).registersOfProcessor / threads - reservedRegisters);
}

std::int64_t threadsAtOnce(const Kernel &kernel, int threads, int blocks) {
    return threads * blocksAtOnce(kernel, threads, blocks, widthOf(kernel));
}

std::int64_t blocksAtOnce(const Kernel &kernel, int threads, int blocks, int width) {
    const std::int64_t registers =
        (cacheRegisters(kernel, threads, blocks, width) + uncachedRegisters(kernel, width) + 7) / 8 * 8;
    return deviceOf(kernel).registersOfProcessor / std::max<std::int64_t>(registers, 32) / threads;
}

int uncachedRegisters(const Kernel &kernel, int width) {
    // Counters and addresses, and vectors in flight.
    const auto vecs =
        std::count_if(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
            return input.isPlain() && isWide(kernel, input.address, width);
        });
    const auto gathered =
        std::count_if(kernel.steps.begin(), kernel.steps.end(),
                      [&](const KernelStep &step) { return isGatheredVector(kernel, step, width); });
    return 12 + (width > 1 ? width * static_cast<int>(vecs + gathered) : 0);
}

namespace {

/// Two, where adjacent rows begin within memory sectors: a warp's 32 floats are five of them then, and 64 are
/// nine. An H100: a norm over 192 channels of 6300 pixels 140 -> 113 us, in halves 151 -> 125; with four a
/// thread no better.
int sumsOfThread(const Kernel &kernel) {
    constexpr int two = 2;
    const std::int64_t sectorBytes = deviceOf(kernel).sectorBytes;
    const std::int64_t fewestRows = std::int64_t(4) * deviceOf(kernel).processors * 64; // four blocks each
    constexpr std::ptrdiff_t mostSums = 3; // whose parts fit into 48 KiB
    const auto isSum = [](const KernelStep &step) {
        return isReduction(step.op);
    };
    const bool isPlain = std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                                     [](const KernelInput &input) { return input.isPlain(); }) &&
                         std::none_of(kernel.steps.begin(), kernel.steps.end(),
                                      [](const KernelStep &step) { return step.isGuarded; });
    if (!isPlain || kernel.hasKthValues() || kernel.outer == 0 || kernel.rows() < fewestRows ||
        std::count_if(kernel.steps.begin(), kernel.steps.end(), isSum) > mostSums ||
        !canBePersistent(kernel, false) || !(withOnlineArgmax(kernel) == kernel) ||
        cachedPerWarp(kernel, maxBlockWarps) * two > maxCachedOfWarp)
        return 1;
    const std::size_t along = vectorLoop(kernel);
    bool isWithinSectors = false;
    const auto fits = [&](const AffineExpr &address, ElementType type) {
        if (kernel.levelOf(address) != StepLevel::Element)
            return true;
        for (std::size_t k = 0; k < address.steps.size(); ++k)
            isWithinSectors =
                isWithinSectors || (k != along && address.steps[k] * bytesOf(type) % sectorBytes != 0);
        return isWide(kernel, address, two);
    };
    const bool doFit =
        std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                    [&](const KernelInput &input) { return fits(input.address, input.type); }) &&
        std::all_of(kernel.stores.begin(), kernel.stores.end(),
                    [&](const KernelStore &store) { return fits(store.address, store.type); });
    return doFit && isWithinSectors ? two : 1;
}

} // namespace

int widthOf(const Kernel &kernel) {
    if (transposeTileOf(kernel) || withSharedIndices(kernel)) // neither reads along it
        return 1;
    if (kernel.hasReductions() && kernel.outer == kernel.loops.size()) // rows of one element
        return 1;
    // A thread of a scan or of a window takes single elements.
    const KernelFamily family = familyOf(kernel);
    if (kernel.hasScans() || family == KernelFamily::Windows)
        return 1;
    if (family == KernelFamily::Columns)
        return sumsOfThread(kernel);
    if (const std::optional<UnalignedRows> unaligned = unalignedRowsOf(kernel))
        return unaligned->width;
    int largest = 1;
    // Inputs that are invariant along a row are no part of a vector. Those that all rows share are in the
    // caches, and a vector of them may be several loads.
    for (const KernelInput &input : kernel.inputs)
        if (kernel.levelOf(input.address) >= (kernel.outer > 0 ? StepLevel::Element : StepLevel::Column) &&
            (input.address.steps.empty() || input.address.steps.back() != 0 || !input.isPlain()))
            largest = std::max(largest, bytesOf(input.type));
    for (const KernelStore &store : kernel.stores)
        if (kernel.levelOf(store.address) >= StepLevel::Column)
            largest = std::max(largest, bytesOf(store.type));
    const bool hasGaps =
        std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [](const KernelInput &input) {
            const std::int64_t step = input.address.steps.empty() ? 0 : std::abs(input.address.steps.back());
            return input.isPlain() && step > 1 && step * bytesOf(input.type) < lineBytes;
        });
    for (int width = widestVector(kernel, loadBytes / largest / interleavedStores(kernel)); width > 1;
         width /= 2) {
        const bool isLoaded =
            std::any_of(
                kernel.inputs.begin(), kernel.inputs.end(),
                [&](const KernelInput &input) {
                    // Inputs that all rows share are in the cache: vectors of these alone save nothing.
                    return input.isPlain() &&
                           (kernel.outer == 0 || kernel.levelOf(input.address) == StepLevel::Element) &&
                           (isWide(kernel, input.address, width) || isStridedVector(kernel, input, width));
                }) ||
            std::any_of(kernel.steps.begin(), kernel.steps.end(),
                        [&](const KernelStep &step) { return isGatheredVector(kernel, step, width); });
        // With strided reads, the address is computed once for a vector. Not where neighbours read one memory
        // line: with more elements per thread they share fewer.
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

bool canBePersistent(const Kernel &kernel, bool isClustered) {
    if (!kernel.isLoops() || !kernel.hasReductions() || kernel.hasScans() || kernel.passCount() < 2 ||
        hasOnlineSoftmax(kernel))
        return false;
    // Online argmax needs no second loop: nothing has to be cached, and any number of warps will do.
    if (familyOf(kernel) == KernelFamily::Columns)
        return !isClustered && withOnlineArgmax(kernel).passCount() > 1 &&
               cachedPerWarp(kernel, maxBlockWarps) <= maxCachedPerWarp(kernel);
    if (familyOf(kernel) != KernelFamily::Rows)
        return false;
    const int blocks = isClustered ? maxClusterBlocks : 1;
    return registersHold(kernel, 1024, blocks) || registersHold(kernel, 512, blocks);
}

} // namespace warpwright
