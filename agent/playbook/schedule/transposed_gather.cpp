// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/transposed_gather.h"

#include "agent/playbook/schedule/index_sharing.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t leastAcross = 4; ///< below it a sector holds elements of several positions
constexpr int mostValueBytes = 28;      ///< of an element in all tiles
constexpr int loadBytes = 16;
constexpr int leastOfThread = 4;         ///< elements that share the index of a position
constexpr int threads = 256;             ///< of a block
constexpr int mostSide = 64;             ///< across: two sectors of a pixel's channels and more
constexpr int mostTileBytes = 40960;     ///< of a block: an SM has room for five such
constexpr int leastColumns = 32;         ///< a memory line, where results go
constexpr std::int64_t cachedShare = 16; ///< an input so much smaller than the largest is in the caches
constexpr double mostWaste = 1.15;       ///< of threads beyond the last channel

const KernelInput &inputOf(const Kernel &kernel, const KernelStep &load) {
    return kernel.inputs[static_cast<std::size_t>(load.input)];
}

bool anyOf(const KernelStep &step, const std::vector<bool> &which) {
    return std::any_of(step.operands.begin(), step.operands.end(),
                       [&which](int operand) { return which[static_cast<std::size_t>(operand)]; });
}

/// Elements of the largest input contiguous along the last loop: it is read in vectors unless transposed.
std::int64_t mostAlong(const Kernel &kernel) {
    std::int64_t most = 0;
    for (const KernelInput &input : kernel.inputs) {
        std::int64_t elements = input.isPlain() && input.address.steps.back() == 1 ? 1 : 0;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            elements *= input.address.steps[k] != 0 ? kernel.loops[k] : 1;
        most = std::max(most, elements);
    }
    return most;
}

/// Gathers along `across` that share an index, and differ for each column; not those from a small table.
int gathersAcross(const Kernel &kernel, std::size_t across) {
    const std::vector<bool> differs = differsAlong(kernel, across);
    const std::vector<bool> moves = differsAlong(kernel, kernel.loops.size() - 1);
    const std::int64_t along = mostAlong(kernel);
    int count = 0;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        if (step.op != Opcode::Load || !moves[i] || anyOf(step, differs))
            continue;
        const KernelInput &input = inputOf(kernel, step);
        const bool isCached = input.elements > 0 && input.elements < along / cachedShare;
        count += !input.isPlain() && input.address.steps[across] == 1 && !isCached ? 1 : 0;
    }
    return count;
}

bool areWide(const AffineExpr &address, const std::vector<std::int64_t> &strides, std::size_t across,
             int width) {
    for (std::size_t k = 0; k < address.steps.size(); ++k)
        if (k != across && address.steps[k] % width != 0)
            return false;
    return address.offset % width == 0 &&
           std::all_of(strides.begin(), strides.end(),
                       [width](std::int64_t stride) { return stride % width == 0; });
}

int bytesOfValues(const Kernel &kernel, const std::vector<int> &values) {
    int bytes = 0;
    for (const int value : values)
        bytes += bytesOf(kernel.step(value).type);
    return bytes;
}

/// Whether the value at this position is computed from numbers and earlier values only.
bool isMadeOfOthers(const Kernel &kernel, const TransposedReads &reads, std::size_t position) {
    std::vector<int> open = kernel.step(reads.values[position]).operands;
    if (open.empty() || kernel.step(reads.values[position]).op == Opcode::Load)
        return false;
    while (!open.empty()) {
        const int step = open.back();
        open.pop_back();
        const auto end = reads.values.begin() + static_cast<std::ptrdiff_t>(position);
        if (kernel.step(step).op == Opcode::Number || std::find(reads.values.begin(), end, step) != end)
            continue;
        if (!reads.isRead[static_cast<std::size_t>(step)] || kernel.step(step).op == Opcode::Load)
            return false;
        const std::vector<int> &operands = kernel.step(step).operands;
        open.insert(open.end(), operands.begin(), operands.end());
    }
    return true;
}

} // namespace

TransposedReads transposedReadsOf(const Kernel &kernel, std::size_t across) {
    const std::size_t count = kernel.steps.size();
    const std::vector<bool> differs = differsAlong(kernel, across);
    std::vector<bool> hasAcross(count, false);
    std::vector<bool> hasAlong(count, false);
    for (std::size_t i = 0; i < count; ++i) {
        const KernelStep &step = kernel.steps[i];
        hasAcross[i] = anyOf(step, hasAcross);
        hasAlong[i] = anyOf(step, hasAlong);
        if (step.op != Opcode::Load || !differs[i])
            continue;
        const AffineExpr &address = inputOf(kernel, step).address;
        const bool isAcross =
            address.steps[across] == 1 && address.steps.back() != 1 && !anyOf(step, differs);
        (isAcross ? hasAcross : hasAlong)[i] = true;
    }
    TransposedReads reads;
    for (std::size_t i = 0; i < count; ++i)
        reads.isRead.push_back(hasAcross[i] && !hasAlong[i]);
    std::vector<bool> isUsed(count, false);
    for (std::size_t i = 0; i < count; ++i)
        if (!reads.isRead[i])
            for (const int operand : kernel.steps[i].operands)
                isUsed[static_cast<std::size_t>(operand)] = true;
    for (const KernelStore &store : kernel.stores)
        isUsed[static_cast<std::size_t>(store.step)] = true;
    for (std::size_t i = 0; i < count; ++i)
        if (reads.isRead[i] && isUsed[i])
            reads.values.push_back(static_cast<int>(i));
    // What is computed from other values alone is recomputed from their tiles.
    for (std::size_t i = reads.values.size(); i-- > 0;)
        if (isMadeOfOthers(kernel, reads, i))
            reads.values.erase(reads.values.begin() + static_cast<std::ptrdiff_t>(i));
    return reads;
}

std::optional<TransposeTile> transposedGatherOf(const Kernel &kernel) {
    TransposeTile best;
    int most = 0;
    for (std::size_t k = 0; k + 1 < kernel.loops.size(); ++k) {
        const bool isEach =
            std::all_of(kernel.stores.begin(), kernel.stores.end(),
                        [k](const KernelStore &store) { return store.address.steps[k] != 0; });
        if (kernel.loops[k] < leastAcross || !isEach)
            continue;
        const int count = gathersAcross(kernel, k);
        if (count <= most)
            continue;
        TransposedReads reads = transposedReadsOf(kernel, k);
        if (bytesOfValues(kernel, reads.values) > mostValueBytes)
            continue;
        most = count;
        best = {k, {}, std::move(reads.values)};
    }
    if (most == 0)
        return std::nullopt;
    const int width = widthAcross(kernel, best);
    return threads * width * vectorsAcross(width) * bytesOfValues(kernel, best.values) <= mostTileBytes
               ? std::optional(best)
               : std::nullopt;
}

int widthAcross(const Kernel &kernel, const TransposeTile &tiled) {
    const TransposedReads reads = transposedReadsOf(kernel, tiled.across);
    int largest = 1;
    const auto isPart = [&](const KernelStep &step) {
        return step.op == Opcode::Load && reads.isRead[static_cast<std::size_t>(&step - kernel.steps.data())];
    };
    for (const KernelStep &step : kernel.steps)
        if (isPart(step))
            largest = std::max(largest, bytesOf(inputOf(kernel, step).type));
    for (int width = loadBytes / largest; width > 1; width /= 2)
        if (kernel.loops[tiled.across] % width == 0 &&
            std::all_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
                return !isPart(step) || areWide(inputOf(kernel, step).address, inputOf(kernel, step).strides,
                                                tiled.across, width);
            }))
            return width;
    return 1;
}

int vectorsAcross(int width) {
    return std::max(leastOfThread / width, 1);
}

std::vector<TileSize> gatherTileSizes(const Kernel &kernel, const TransposeTile &tiled) {
    const std::int64_t channels = kernel.loops[tiled.across];
    const int width = widthAcross(kernel, tiled);
    const int ofThread = width * vectorsAcross(width);
    // The longest side with few threads beyond the last channel.
    int side = mostSide;
    const auto wasted = [channels](int some) {
        return static_cast<double>((channels + some - 1) / some * some) / static_cast<double>(channels);
    };
    while (side > ofThread && (side / 2 >= channels || wasted(side) > mostWaste * wasted(side / 2)))
        side /= 2;
    const int bytes = bytesOfValues(kernel, tiled.values);
    while (side > ofThread && side * 2 * leastColumns * bytes > mostTileBytes)
        side /= 2;
    const int atOnce = threads * ofThread / side; // positions that a block reads at a time
    std::vector<TileSize> sizes;
    for (const int columns : {2 * atOnce, atOnce, 4 * atOnce})
        if (columns >= leastColumns && columns <= threads &&
            columns * side * bytes + side * leastColumns * bytes <= mostTileBytes)
            sizes.push_back({columns, side});
    if (sizes.empty())
        sizes.push_back({std::clamp(atOnce, leastColumns, threads), side});
    return sizes;
}

} // namespace warpwright
