// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/own_product.h"

#include "agent/playbook/across_product.h"
#include "agent/playbook/small_product_cuda.h"
#include "agent/playbook/turn_product.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that the copy engine starts at
constexpr std::int64_t sectorBytes = 32; ///< of memory: rows of 1100 floats, that begin within one, were slow
constexpr std::int64_t multiprocessors = 132; ///< of an H200
constexpr std::int64_t tileRows = 128;
constexpr std::int64_t leastColumns = 128; ///< half of a tile
constexpr std::int64_t leastInner = 64;
constexpr std::int64_t leastTiles = 100; ///< most multiprocessors have one
constexpr std::int64_t pieceColumns = 4; ///< neighbours that a thread finishes at once
constexpr std::int64_t leastUses = 2;    ///< rows for each of what is summed over: else a copy is no gain
constexpr std::size_t mostMatrices = 4;  ///< read beside: registers are for what is on its way
constexpr std::size_t mostVectors = 4;

/// How many there are, rounded up.
std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

bool isMultiple(std::int64_t elements, ElementType type, std::int64_t bytes) {
    return elements >= 0 && elements * bytesOf(type) % bytes == 0;
}

/// A matrix with its elements along `inner`, and a step from one of `rows` to the next.
bool liesAlong(const KernelLeaf &leaf, std::size_t rows, std::size_t inner, std::int64_t elements) {
    return leaf.address.steps[inner] == 1 && leaf.address.steps[rows] >= elements &&
           isMultiple(leaf.address.steps[rows], leaf.type, alignedBytes) &&
           isMultiple(leaf.address.offset, leaf.type, alignedBytes);
}

/// Whether an int holds every place of so many rows: the text counts so.
bool hasSmallPlaces(const AffineIndex &address, std::int64_t rows) {
    return address.offset + rows * address.steps[0] <= std::numeric_limits<int>::max();
}

} // namespace

bool isOwnProduct(const FusedKernel &kernel) {
    return isTurnProduct(kernel) || (isFinishedProduct(kernel) && !isSmallProduct(kernel));
}

std::vector<int> sumsOf(const FusedKernel &kernel) {
    std::vector<int> sums;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (kernel.steps[i].op == KernelOp::RowSum)
            sums.push_back(static_cast<int>(i));
    return sums;
}

int otherSumOf(const FusedKernel &kernel) {
    const std::vector<int> sums = kernel.anchor == Anchor::Product ? sumsOf(kernel) : std::vector<int>();
    return sums.size() > 1 ? sums[1] : -1;
}

std::size_t firstBeside(const FusedKernel &kernel) {
    return 1 + sumsOf(kernel).size();
}

std::optional<BesideProduct> besideProduct(const FusedKernel &kernel, const KernelLeaf &leaf) {
    if (!leaf.isPlain() || leaf.type != kernel.leaves[0].type || leaf.address.steps.size() < 2)
        return std::nullopt;
    const std::int64_t row = leaf.address.steps[0];
    const std::int64_t column = leaf.address.steps[1];
    const bool isWhole =
        isMultiple(leaf.address.offset, leaf.type, sectorBytes) && isMultiple(row, leaf.type, sectorBytes);
    if (column == 1 && row != 0)
        return isWhole ? std::optional(BesideProduct::LikeResult) : std::nullopt;
    if (column == 1)
        return BesideProduct::OfColumns;
    return column == 0 && row >= 0 ? std::optional(BesideProduct::OfRows) : std::nullopt;
}

bool hasSlowSteps(const FusedKernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        switch (step.op) {
        case KernelOp::Exponential:
        case KernelOp::ExponentialOf2:
        case KernelOp::HyperbolicTangent:
        case KernelOp::Sigmoid:
        case KernelOp::ErrorFunction:
        case KernelOp::ErrorFunctionLeft:
            return false;
        default:
            return isExpensive(step.op);
        }
    });
}

bool canBeOwnProduct(const FusedKernel &kernel) {
    if (canBeAcrossProduct(kernel))
        return true;
    if (kernel.anchor != Anchor::Product || kernel.loops.size() != 3 || !kernel.epilogue.isEmpty() ||
        kernel.stores.size() != 1 || isSmallProduct(kernel) || hasSlowSteps(kernel))
        return false;
    const ElementType type = kernel.leaves[0].type;
    const std::int64_t rows = kernel.loops[0];
    const std::int64_t columns = kernel.loops[1];
    const std::int64_t inner = kernel.loops[2];
    const auto products = static_cast<std::int64_t>(firstBeside(kernel)) - 1;
    const KernelStore &store = kernel.stores[0];
    const bool isOfUnits =
        type == ElementType::Float32 || type == ElementType::Float16 || type == ElementType::BFloat16;
    const bool isLarge =
        columns >= leastColumns && inner >= leastInner &&
        parts(rows, tileRows) * parts(columns, ownTileColumns(kernel) / products) >= leastTiles;
    const bool isStoredWell = store.type == type && store.address.steps[1] == 1 &&
                              isMultiple(store.address.steps[0], type, sectorBytes) &&
                              isMultiple(store.address.offset, type, sectorBytes) &&
                              columns % pieceColumns == 0;
    if (!isOfUnits || !isLarge || !isStoredWell || kernel.leaves[1].type != type ||
        !liesAlong(kernel.leaves[0], 0, 2, inner) || !liesAlong(kernel.leaves[1], 1, 2, inner) ||
        rows * inner > std::numeric_limits<int>::max() || !hasSmallPlaces(store.address, rows))
        return false;
    // Both lie alike, for a CPU's library.
    if (products == 2 && (kernel.leaves[2].type != type || !liesAlong(kernel.leaves[2], 1, 2, inner) ||
                          kernel.leaves[2].address.steps != kernel.leaves[1].address.steps))
        return false;
    std::size_t matrices = 0;
    std::size_t vectors = 0;
    for (std::size_t i = firstBeside(kernel); i < kernel.leaves.size(); ++i) {
        const auto beside = besideProduct(kernel, kernel.leaves[i]);
        if (!beside || !hasSmallPlaces(kernel.leaves[i].address, rows))
            return false;
        matrices += *beside == BesideProduct::LikeResult ? 1U : 0U;
        vectors += *beside == BesideProduct::OfColumns ? 1U : 0U;
    }
    return matrices <= mostMatrices && vectors <= mostVectors &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(),
                        [](const KernelStep &step) { return step.op == KernelOp::Index || step.isGuarded; });
}

std::optional<TurnedProduct> withTurnedMatrix(const FusedKernel &kernel, int buffer) {
    if (kernel.anchor != Anchor::Product || kernel.loops.size() != 3)
        return std::nullopt;
    const KernelLeaf from = kernel.leaves[1];
    const std::int64_t columns = kernel.loops[1];
    const std::int64_t inner = kernel.loops[2];
    if (from.address.steps[1] != 1 || from.address.steps[2] == 1 || kernel.loops[0] < leastUses * inner)
        return std::nullopt;
    TurnedProduct turned{kernel, {}, {}};
    const std::int64_t pitch =
        parts(inner * bytesOf(from.type), sectorBytes) * sectorBytes / bytesOf(from.type);
    turned.layout = layoutInOrder({columns, inner}, {0, 1}, 1, pitch);
    turned.copy.loops = {columns, inner};
    turned.copy.outer = 2;
    KernelLeaf read = from;
    read.address.steps = {1, from.address.steps[2]};
    const int value = turned.copy.load(read);
    turned.copy.stores.push_back({value, buffer, from.type, {0, {pitch, 1}}});
    turned.copy.finish();
    KernelLeaf &second = turned.product.leaves[1];
    second.buffer = buffer;
    second.address = {0, {0, pitch, 1}};
    second.elements = 0;
    return turned;
}

int ownTileColumns(const FusedKernel &kernel) {
    // Of the units' best with so many columns: with fewer, shared memory is read more often for each sum.
    struct Width {
        int columns;
        double share;
    };
    const std::int64_t columns = kernel.loops[1] * (static_cast<std::int64_t>(firstBeside(kernel)) - 1);
    int best = 0;
    double least = std::numeric_limits<double>::max();
    for (const Width &width : {Width{256, 1.0}, Width{192, 0.92}, Width{128, 0.8}}) {
        const std::int64_t tiles = parts(kernel.loops[0], tileRows) * parts(columns, width.columns);
        const double time = static_cast<double>(parts(tiles, multiprocessors)) * width.columns / width.share;
        if (time < least) {
            least = time;
            best = width.columns;
        }
    }
    return best;
}

} // namespace warpwright
