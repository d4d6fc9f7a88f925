// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/matmul/own_product.h"

#include "agent/playbook/analysis/instruction_cost.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/matmul/across_product.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that the copy engine starts at
constexpr std::int64_t tileRows = 128;
constexpr std::int64_t leastColumns = 128; ///< half of a tile
constexpr std::int64_t leastInner = 64;
constexpr double turnedInstructions =
    30; ///< of sums that are turned and finished one by one, as an H100 says;
constexpr double packedInstructions = 12; ///< in packs
constexpr double usualLoss = 1.1;         ///< of a library's, by edges and a last round of tiles
/// Of the speed, where rows of a matrix begin within a sector: boxes' rows of 128 bytes are of five then. On
/// an H100 8192 x 7000 x 4096 in halves took 966 us, of which the library needs 614.
constexpr double shareWithinSectors = 0.7;
/// Of the speed, where a matrix is for one of two sums alone, and the units take half as many columns at
/// once: an H100 had 0.86 to 0.89.
constexpr double shareOfOneSum = 0.87;
constexpr double leastShare = 0.65;     ///< of tiles of batches, that is asked for
constexpr int pieceColumns = 4;         ///< neighbours that a thread finishes at once
constexpr std::int64_t leastUses = 2;   ///< rows for each of what is summed over: else a copy is no gain
constexpr std::size_t mostPhases = 4;   ///< products that are summed, which are loops of the text
constexpr std::size_t mostMatrices = 4; ///< read beside: registers are for what is on its way
constexpr std::size_t mostVectors = 4;
constexpr std::size_t mostStores = 2; ///< each a pack of registers

/// How many there are, rounded up.
std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

bool isMultiple(std::int64_t elements, ElementType type, std::int64_t bytes) {
    return elements >= 0 && elements * bytesOf(type) % bytes == 0;
}

/// A matrix, of each batch or of all, with its elements along the `inner` ones that are summed over, and a
/// step from one of `rows` to the next. Halves also the other way around.
bool canBeCopied(const FusedKernel &kernel, const KernelLeaf &leaf, std::size_t rows, std::int64_t inner) {
    const std::vector<std::int64_t> &steps = leaf.address.steps;
    const bool isOfRows = isTurned(kernel, leaf, rows);
    const std::size_t along = isOfRows ? rows : kernel.loops.size() - 1;
    const std::size_t down = isOfRows ? kernel.loops.size() - 1 : rows;
    const std::int64_t length = isOfRows ? kernel.loops[rows] : inner;
    const std::int64_t batch = hasBatches(kernel) ? steps[0] : 0;
    return steps[along] == 1 && steps[down] >= length && isMultiple(steps[down], leaf.type, alignedBytes) &&
           (batch == 0 || batch >= length) && isMultiple(batch, leaf.type, alignedBytes) &&
           isMultiple(leaf.address.offset, leaf.type, alignedBytes);
}

/// Tiles of so many columns, of two products together.
std::int64_t tilesOf(const FusedKernel &kernel, std::int64_t columns) {
    const std::size_t ofRows = hasBatches(kernel) ? 1 : 0;
    const auto products = static_cast<std::int64_t>(sumsOf(kernel).size());
    return (hasBatches(kernel) ? kernel.loops[0] : 1) * parts(kernel.loops[ofRows], tileRows) *
           parts(kernel.loops[ofRows + 1] * products, columns);
}

/// Of the units' best with so many columns: with fewer, shared memory is read more often for each sum.
double shareOfWidth(int columns) {
    return columns == 256 ? 1 : columns == 192 ? 0.92 : 0.8;
}

double elementsOfResult(const FusedKernel &kernel) {
    double elements = 1;
    for (std::size_t k = 0; k + 1 < kernel.loops.size(); ++k)
        elements *= static_cast<double>(kernel.loops[k]);
    return elements;
}

/// Whether an int holds every place: the text counts so.
bool hasSmallPlaces(const FusedKernel &kernel, const AffineIndex &address) {
    std::int64_t last = address.offset;
    for (std::size_t k = 0; k + 2 < kernel.loops.size(); ++k)
        last += kernel.loops[k] * address.steps[k];
    return last <= std::numeric_limits<int>::max();
}

} // namespace

bool isTurned(const FusedKernel &kernel, const KernelLeaf &leaf, std::size_t rows) {
    return bytesOf(kernel.leaves[0].type) == 2 && leaf.address.steps.back() != 1 &&
           leaf.address.steps[rows] == 1;
}

std::optional<BesideProduct> besideProduct(const FusedKernel &kernel, const KernelLeaf &leaf) {
    if (!leaf.isPlain() || leaf.type != kernel.leaves[0].type || leaf.address.steps.size() < 3)
        return std::nullopt;
    const std::size_t rows = hasBatches(kernel) ? 1 : 0;
    const std::int64_t batch = hasBatches(kernel) ? leaf.address.steps[0] : 0;
    const std::int64_t row = leaf.address.steps[rows];
    const std::int64_t column = leaf.address.steps[rows + 1];
    if (batch < 0 || row < 0)
        return std::nullopt;
    if (column == 1)
        return row != 0 ? BesideProduct::LikeResult : BesideProduct::OfColumns;
    return column == 0 ? std::optional(BesideProduct::OfRows) : std::nullopt;
}

namespace {

/// Whether the result's rows are whole packs, and it and what lies like it begin, in each row, at a multiple
/// of so many.
bool rowsBeginAt(const FusedKernel &kernel, std::int64_t bytes) {
    const auto isWhole = [&](const AffineIndex &address, std::int64_t offset) {
        bool isIt = isMultiple(offset, kernel.leaves[0].type, bytes);
        for (std::size_t k = 0; k + 2 < kernel.loops.size(); ++k)
            isIt = isIt && isMultiple(address.steps[k], kernel.leaves[0].type, bytes);
        return isIt;
    };
    const auto first = kernel.leaves.begin() + static_cast<std::ptrdiff_t>(firstBeside(kernel));
    return kernel.loops[kernel.loops.size() - 2] % pieceColumns == 0 &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(),
                       [&](const KernelStore &store) {
                           const std::int64_t begin = areBesideEachOther(kernel)
                                                          ? kernel.stores[0].address.offset
                                                          : store.address.offset;
                           return isWhole(store.address, begin);
                       }) &&
           std::all_of(first, kernel.leaves.end(), [&](const KernelLeaf &leaf) {
               return besideProduct(kernel, leaf) != BesideProduct::LikeResult ||
                      isWhole(leaf.address, leaf.address.offset);
           });
}

} // namespace

bool areBesideEachOther(const FusedKernel &kernel) {
    if (kernel.stores.size() != 2)
        return false;
    const KernelStore &first = kernel.stores[0];
    const KernelStore &second = kernel.stores[1];
    return first.buffer == second.buffer && first.address.steps == second.address.steps &&
           first.address.steps[kernel.loops.size() - 2] == 2 &&
           second.address.offset == first.address.offset + 1;
}

bool isInPacks(const FusedKernel &kernel) {
    return rowsBeginAt(kernel, deviceOf(kernel).sectorBytes);
}

int wideOf(const FusedKernel &kernel) {
    return rowsBeginAt(kernel, pieceColumns * bytesOf(kernel.leaves[0].type)) ? pieceColumns : 1;
}

/// How often a pass behind a library's products would move what is as large as the result.
static double timesOfPass(const FusedKernel &kernel) {
    if (!hasTerms(kernel))
        return 2;
    std::size_t products = 0;
    for (const int sum : sumsOf(kernel))
        products += termsOf(kernel, sum).size();
    return static_cast<double>(products + kernel.stores.size());
}

bool isWorthPasses(const FusedKernel &kernel, double times) {
    const Device &device = deviceOf(kernel);
    const double memory = kernel.bytes() / device.passBytesASecond;
    const double units =
        kernel.operations() / (bytesOf(kernel.leaves[0].type) == 2 ? device.halfASecond : device.tf32ASecond);
    const double lost = std::max(memory, units / ownShareOfLibrarys(kernel)) - std::max(memory, units);
    return lost < times * elementsOfResult(kernel) * bytesOf(kernel.leaves[0].type) / device.passBytesASecond;
}

/// Whether the copy engine brings what each of several products is of, and the units take all of it alike.
static bool canGoOn(const FusedKernel &kernel) {
    const ElementType type = kernel.leaves[0].type;
    const std::vector<ProductPhase> phases = phasesOf(kernel);
    const std::size_t sums = sumsOf(kernel).size();
    const auto lies = [&](std::size_t leaf, std::size_t rows, std::int64_t inner, bool isOfRows) {
        const KernelLeaf &matrix = kernel.leaves[leaf];
        return matrix.type == type && matrix.isPlain() && canBeCopied(kernel, matrix, rows, inner) &&
               isTurned(kernel, matrix, rows) == isOfRows;
    };
    const auto turnedSecond = [&](const ProductPhase &phase) {
        const auto leaf =
            std::find_if(phase.seconds.begin(), phase.seconds.end(), [](int i) { return i >= 0; });
        return isTurned(kernel, kernel.leaves[static_cast<std::size_t>(*leaf)], 1);
    };
    return sums <= 2 && !phases.empty() && phases.size() <= mostPhases &&
           std::all_of(phases.begin(), phases.end(), [&](const ProductPhase &phase) {
               return lies(phase.first, 0, phase.inner, isTurned(kernel, kernel.leaves[0], 0)) &&
                      std::all_of(phase.seconds.begin(), phase.seconds.end(), [&](int second) {
                          const bool isOfRows = turnedSecond(phases[0]);
                          return second < 0 ||
                                 (lies(static_cast<std::size_t>(second), 1, phase.inner, isOfRows) &&
                                  !(isOfRows && sums == 2));
                      });
           });
}

bool canBeOwnProduct(const FusedKernel &kernel) {
    if (canBeAcrossProduct(kernel))
        return true;
    if (kernel.anchor != Anchor::Product || (kernel.loops.size() != 3 && !hasBatches(kernel)) ||
        !kernel.epilogue.isEmpty() || kernel.stores.size() > mostStores || isSmallProduct(kernel) ||
        hasSlowSteps(kernel))
        return false;
    const ElementType type = kernel.leaves[0].type;
    const std::size_t ofRows = hasBatches(kernel) ? 1 : 0;
    const std::int64_t batches = hasBatches(kernel) ? kernel.loops[0] : 1;
    const std::int64_t rows = kernel.loops[ofRows];
    const std::int64_t columns = kernel.loops[ofRows + 1];
    const std::int64_t inner = kernel.loops[ofRows + 2];
    const auto products = static_cast<std::int64_t>(sumsOf(kernel).size());
    const bool isOfUnits =
        type == ElementType::Float32 || type == ElementType::Float16 || type == ElementType::BFloat16;
    const bool isLarge =
        columns >= leastColumns && inner >= leastInner &&
        batches * parts(rows, tileRows) * parts(columns, ownTileColumns(kernel) / products) >=
            tilesForMost(deviceOf(kernel));
    const bool isStoredWell =
        (areBesideEachOther(kernel) && isInPacks(kernel)) ||
        std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return store.type == type && store.address.steps[ofRows + 1] == 1;
        });
    const bool areNear =
        std::all_of(kernel.stores.begin(), kernel.stores.end(),
                    [&](const KernelStore &store) { return hasSmallPlaces(kernel, store.address); });
    if (!isOfUnits || !isLarge || !isStoredWell || rows * inner > std::numeric_limits<int>::max() ||
        !areNear || kernel.stores.back().type != type ||
        (hasTerms(kernel)
             ? !canGoOn(kernel)
             : kernel.leaves[1].type != type || !canBeCopied(kernel, kernel.leaves[0], ofRows, inner) ||
                   !canBeCopied(kernel, kernel.leaves[1], ofRows + 1, inner)))
        return false;
    // A tile is of one batch: too much of it may lie beyond the batch's rows or columns.
    if (batches > 1 && usedShare(kernel) < leastShare)
        return false;
    // Both lie alike, for a CPU's library.
    if (products == 2 && !hasTerms(kernel) &&
        (matricesOf(kernel) != 3 || kernel.leaves[2].type != type ||
         isTurned(kernel, kernel.leaves[1], ofRows + 1) ||
         !canBeCopied(kernel, kernel.leaves[2], ofRows + 1, inner) ||
         kernel.leaves[2].address.steps != kernel.leaves[1].address.steps))
        return false;
    if (!isWorthPasses(kernel, timesOfPass(kernel)))
        return false;
    std::size_t matrices = 0;
    std::size_t vectors = 0;
    for (std::size_t i = firstBeside(kernel); i < kernel.leaves.size(); ++i) {
        const auto beside = besideProduct(kernel, kernel.leaves[i]);
        if (!beside || !hasSmallPlaces(kernel, kernel.leaves[i].address))
            return false;
        matrices += *beside == BesideProduct::LikeResult ? 1U : 0U;
        vectors += *beside == BesideProduct::OfColumns ? 1U : 0U;
    }
    return matrices <= mostMatrices && vectors <= mostVectors &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               const bool isOfMatrix = step.leaf >= 0 && step.leaf < static_cast<int>(firstBeside(kernel));
               const bool isOfInner = step.op == KernelOp::Index && step.index.steps.back() != 0;
               return (step.op == KernelOp::Index && !isOfInner) || (step.isGuarded && !isOfMatrix);
           });
}

double tailInstructions(const FusedKernel &kernel) {
    double sum = isAcrossProduct(kernel) || isInPacks(kernel) ? 0
                 : wideOf(kernel) > 1                         ? packedInstructions
                                                              : turnedInstructions;
    for (auto i = static_cast<std::size_t>(kernel.resultStep()); i < kernel.steps.size(); ++i)
        switch (kernel.steps[i].op) {
        case KernelOp::Sigmoid:
        case KernelOp::ExponentialOf2:
            sum += 5;
            break;
        case KernelOp::Exponential:
            sum += 9;
            break;
        case KernelOp::HyperbolicTangent:
        case KernelOp::Sine:
        case KernelOp::Cosine:
        case KernelOp::ArcTangens:
            sum += 17;
            break;
        default:
            sum += isExpensive(kernel.steps[i].op) ? 25 : 0;
        }
    return sum * elementsOfResult(kernel);
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
    turned.copy.device = kernel.device;
    const std::int64_t sectorBytes = deviceOf(kernel).sectorBytes;
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

double usedShare(const FusedKernel &kernel) {
    const bool isAcross = isAcrossProduct(kernel);
    const std::size_t ofRows = hasBatches(kernel) ? 1 : 0;
    const std::int64_t down = isAcross ? acrossTileRows(kernel) : tileRows;
    const std::int64_t across =
        isAcross ? acrossTileColumns
                 : ownTileColumns(kernel) / static_cast<std::int64_t>(sumsOf(kernel).size());
    const std::int64_t rows = kernel.loops[ofRows];
    const std::int64_t columns = kernel.loops[ofRows + 1];
    return static_cast<double>(rows * columns) /
           static_cast<double>(parts(rows, down) * down * parts(columns, across) * across);
}

int ownTileColumns(const FusedKernel &kernel) {
    int best = 0;
    double least = std::numeric_limits<double>::max();
    const std::int64_t processors = deviceOf(kernel).processors;
    for (const int columns : {256, 192, 128})
        if (const double time = static_cast<double>(parts(tilesOf(kernel, columns), processors)) * columns /
                                shareOfWidth(columns);
            time < least) {
            least = time;
            best = columns;
        }
    return best;
}

/// Of the units' best: where a matrix is for one of two sums alone, they take half as many columns at once.
static double shareOfPhases(const FusedKernel &kernel) {
    if (!hasTerms(kernel) || sumsOf(kernel).size() < 2)
        return 1;
    double all = 0;
    double taken = 0;
    for (const ProductPhase &phase : phasesOf(kernel)) {
        const auto sums = static_cast<double>(
            std::count_if(phase.seconds.begin(), phase.seconds.end(), [](int leaf) { return leaf >= 0; }));
        const double work = sums * static_cast<double>(phase.inner);
        all += work;
        taken += work / (sums < 2 ? shareOfOneSum : 1);
    }
    return all / taken;
}

bool beginAtSectors(const FusedKernel &kernel) {
    const std::int64_t sectorBytes = deviceOf(kernel).sectorBytes;
    for (std::size_t i = 0; i < firstBeside(kernel); ++i)
        for (const std::int64_t step : kernel.leaves[i].address.steps)
            if (step != 1 && !isMultiple(step, kernel.leaves[i].type, sectorBytes))
                return false;
    return true;
}

double ownShareOfLibrarys(const FusedKernel &kernel) {
    const bool isAcross = isAcrossProduct(kernel);
    const int width = ownTileColumns(kernel);
    const std::int64_t tiles = isAcross ? kernel.loops[0] * parts(kernel.loops[1], acrossTileRows(kernel)) *
                                              parts(kernel.loops[2], acrossTileColumns)
                                        : tilesOf(kernel, width);
    const std::int64_t processors = deviceOf(kernel).processors;
    const std::int64_t rounds = parts(tiles, processors);
    const double busy = static_cast<double>(tiles) / static_cast<double>(rounds * processors);
    const double ofWidth = isAcross ? 1 : shareOfWidth(width) * shareOfPhases(kernel);
    return std::min(1.0, usualLoss * usedShare(kernel) * busy * ofWidth) *
           (beginAtSectors(kernel) ? 1 : shareWithinSectors);
}

} // namespace warpwright
