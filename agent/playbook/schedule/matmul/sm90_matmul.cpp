// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/matmul/sm90_matmul.h"

#include "agent/playbook/analysis/instruction_cost.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_batched_matmul.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< alignment of TMA
constexpr std::int64_t tileRows = 128;
constexpr std::int64_t leastColumns = 128; ///< half of a tile
constexpr std::int64_t leastInner = 64;
constexpr double scalarInstructions =
    30; ///< of sums that are transposed and finished one by one, as an H100 says;
constexpr double vectorInstructions = 12; ///< in vectors
constexpr double usualLoss = 1.1;         ///< of a library's, by edges and a last wave of tiles
/// Of the speed, where rows of a matrix begin within a sector: TMA's rows of 128 bytes touch five then. On an
/// H100 8192 x 7000 x 4096 in halves took 966 us, of which the library needs 614.
constexpr double shareWithinSectors = 0.7;
/// Of the speed, where a matrix is for one of two sums alone, and the tensor cores take half as many columns
/// at once: an H100 had 0.86 to 0.89.
constexpr double shareOfOneSum = 0.87;
constexpr double leastShare = 0.65;     ///< of the tiles of batches, at least
constexpr int vectorColumns = 4;        ///< neighbours that a thread finishes at once
constexpr std::int64_t leastUses = 2;   ///< rows for each element of the reduction: else a copy is no gain
constexpr std::size_t mostPhases = 4;   ///< matmuls that are summed, which are loops of the text
constexpr std::size_t mostMatrices = 4; ///< epilogue operands: registers are for loads in flight
constexpr std::size_t mostVectors = 4;
constexpr std::size_t mostStores = 2; ///< each a vector of registers

/// Their number, rounded up.
std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

bool isMultiple(std::int64_t elements, ElementType type, std::int64_t bytes) {
    return elements >= 0 && elements * bytesOf(type) % bytes == 0;
}

/// A matrix, of each batch or of all, that is contiguous along its `inner` elements of the reduction, with a
/// stride between `rows`. Halves also the other way around.
bool canBeCopied(const Kernel &kernel, const KernelInput &input, std::size_t rows, std::int64_t inner) {
    const std::vector<std::int64_t> &steps = input.address.steps;
    const bool isOfRows = isMnMajor(kernel, input, rows);
    const std::size_t along = isOfRows ? rows : kernel.loops.size() - 1;
    const std::size_t down = isOfRows ? kernel.loops.size() - 1 : rows;
    const std::int64_t length = isOfRows ? kernel.loops[rows] : inner;
    const std::int64_t batch = hasBatches(kernel) ? steps[0] : 0;
    return steps[along] == 1 && steps[down] >= length && isMultiple(steps[down], input.type, alignedBytes) &&
           (batch == 0 || batch >= length) && isMultiple(batch, input.type, alignedBytes) &&
           isMultiple(input.address.offset, input.type, alignedBytes);
}

/// Tiles of so many columns, of two matmuls together.
std::int64_t tilesOf(const Kernel &kernel, std::int64_t columns) {
    const std::size_t ofRows = hasBatches(kernel) ? 1 : 0;
    const auto matmuls = static_cast<std::int64_t>(sumsOf(kernel).size());
    return (hasBatches(kernel) ? kernel.loops[0] : 1) * parts(kernel.loops[ofRows], tileRows) *
           parts(kernel.loops[ofRows + 1] * matmuls, columns);
}

/// Of the peak with so many columns: with fewer, shared memory is read more often for each sum.
double shareOfWidth(int columns) {
    return columns == 256 ? 1 : columns == 192 ? 0.92 : 0.8;
}

double elementsOfResult(const Kernel &kernel) {
    double elements = 1;
    for (std::size_t k = 0; k + 1 < kernel.loops.size(); ++k)
        elements *= static_cast<double>(kernel.loops[k]);
    return elements;
}

/// Whether an int holds every index, as the text's counters do.
bool fits32BitIndex(const Kernel &kernel, const AffineExpr &address) {
    std::int64_t last = address.offset;
    for (std::size_t k = 0; k + 2 < kernel.loops.size(); ++k)
        last += kernel.loops[k] * address.steps[k];
    return last <= std::numeric_limits<int>::max();
}

} // namespace

bool isMnMajor(const Kernel &kernel, const KernelInput &input, std::size_t rows) {
    return bytesOf(kernel.inputs[0].type) == 2 && input.address.steps.back() != 1 &&
           input.address.steps[rows] == 1;
}

std::optional<EpilogueOperand> epilogueOperandOf(const Kernel &kernel, const KernelInput &input) {
    if (!input.isPlain() || input.type != kernel.inputs[0].type || input.address.steps.size() < 3)
        return std::nullopt;
    const std::size_t rows = hasBatches(kernel) ? 1 : 0;
    const std::int64_t batch = hasBatches(kernel) ? input.address.steps[0] : 0;
    const std::int64_t row = input.address.steps[rows];
    const std::int64_t column = input.address.steps[rows + 1];
    if (batch < 0 || row < 0)
        return std::nullopt;
    if (column == 1)
        return row != 0 ? EpilogueOperand::LikeOutput : EpilogueOperand::PerColumn;
    return column == 0 ? std::optional(EpilogueOperand::PerRow) : std::nullopt;
}

namespace {

/// Whether the result's rows are full vectors, and it and operands like it begin, in each row, at a multiple
/// of so many bytes.
bool rowsBeginAt(const Kernel &kernel, std::int64_t bytes) {
    const auto isWhole = [&](const AffineExpr &address, std::int64_t offset) {
        bool isIt = isMultiple(offset, kernel.inputs[0].type, bytes);
        for (std::size_t k = 0; k + 2 < kernel.loops.size(); ++k)
            isIt = isIt && isMultiple(address.steps[k], kernel.inputs[0].type, bytes);
        return isIt;
    };
    const auto first = kernel.inputs.begin() + static_cast<std::ptrdiff_t>(firstEpilogueInput(kernel));
    return kernel.loops[kernel.loops.size() - 2] % vectorColumns == 0 &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(),
                       [&](const KernelStore &store) {
                           const std::int64_t begin = areInterleaved(kernel) ? kernel.stores[0].address.offset
                                                                             : store.address.offset;
                           return isWhole(store.address, begin);
                       }) &&
           std::all_of(first, kernel.inputs.end(), [&](const KernelInput &input) {
               return epilogueOperandOf(kernel, input) != EpilogueOperand::LikeOutput ||
                      isWhole(input.address, input.address.offset);
           });
}

} // namespace

bool areInterleaved(const Kernel &kernel) {
    if (kernel.stores.size() != 2)
        return false;
    const KernelStore &first = kernel.stores[0];
    const KernelStore &second = kernel.stores[1];
    return first.buffer == second.buffer && first.address.steps == second.address.steps &&
           first.address.steps[kernel.loops.size() - 2] == 2 &&
           second.address.offset == first.address.offset + 1;
}

bool isVectorAligned(const Kernel &kernel) {
    return rowsBeginAt(kernel, deviceOf(kernel).sectorBytes);
}

int epilogueWidth(const Kernel &kernel) {
    return rowsBeginAt(kernel, vectorColumns * bytesOf(kernel.inputs[0].type)) ? vectorColumns : 1;
}

/// How often a pass after a library's matmuls would move as much as the result.
static double timesOfPass(const Kernel &kernel) {
    if (!hasTerms(kernel))
        return 2;
    std::size_t matmuls = 0;
    for (const int sum : sumsOf(kernel))
        matmuls += termsOf(kernel, sum).size();
    return static_cast<double>(matmuls + kernel.stores.size());
}

bool isWorthPasses(const Kernel &kernel, double times) {
    const Device &device = deviceOf(kernel);
    const double memory = kernel.bytes() / device.passBytesASecond;
    const double units =
        kernel.operations() / (bytesOf(kernel.inputs[0].type) == 2 ? device.halfASecond : device.tf32ASecond);
    const double lost = std::max(memory, units / sm90ShareOfCublas(kernel)) - std::max(memory, units);
    return lost < times * elementsOfResult(kernel) * bytesOf(kernel.inputs[0].type) / device.passBytesASecond;
}

/// Whether TMA can load the matrices of each of several matmuls, and all of them have the same major order.
static bool canGoOn(const Kernel &kernel) {
    const ElementType type = kernel.inputs[0].type;
    const std::vector<MatmulPhase> phases = phasesOf(kernel);
    const std::size_t sums = sumsOf(kernel).size();
    const auto lies = [&](std::size_t input, std::size_t rows, std::int64_t inner, bool isOfRows) {
        const KernelInput &matrix = kernel.inputs[input];
        return matrix.type == type && matrix.isPlain() && canBeCopied(kernel, matrix, rows, inner) &&
               isMnMajor(kernel, matrix, rows) == isOfRows;
    };
    const auto isSecondMnMajor = [&](const MatmulPhase &phase) {
        const auto input =
            std::find_if(phase.seconds.begin(), phase.seconds.end(), [](int i) { return i >= 0; });
        return isMnMajor(kernel, kernel.inputs[static_cast<std::size_t>(*input)], 1);
    };
    return sums <= 2 && !phases.empty() && phases.size() <= mostPhases &&
           std::all_of(phases.begin(), phases.end(), [&](const MatmulPhase &phase) {
               return lies(phase.first, 0, phase.inner, isMnMajor(kernel, kernel.inputs[0], 0)) &&
                      std::all_of(phase.seconds.begin(), phase.seconds.end(), [&](int second) {
                          const bool isOfRows = isSecondMnMajor(phases[0]);
                          return second < 0 ||
                                 (lies(static_cast<std::size_t>(second), 1, phase.inner, isOfRows) &&
                                  !(isOfRows && sums == 2));
                      });
           });
}

bool canBeSm90Matmul(const Kernel &kernel) {
    if (canBeSm90BatchedMatmul(kernel))
        return true;
    if (!kernel.isMatmul() || (kernel.loops.size() != 3 && !hasBatches(kernel)) || kernel.hasEpilogue() ||
        kernel.stores.size() > mostStores || isSkinnyMatmul(kernel) || hasSlowSteps(kernel))
        return false;
    const ElementType type = kernel.inputs[0].type;
    const std::size_t ofRows = hasBatches(kernel) ? 1 : 0;
    const std::int64_t batches = hasBatches(kernel) ? kernel.loops[0] : 1;
    const std::int64_t rows = kernel.loops[ofRows];
    const std::int64_t columns = kernel.loops[ofRows + 1];
    const std::int64_t inner = kernel.loops[ofRows + 2];
    const auto matmuls = static_cast<std::int64_t>(sumsOf(kernel).size());
    const bool isOfUnits =
        type == ElementType::Float32 || type == ElementType::Float16 || type == ElementType::BFloat16;
    const bool isLarge =
        columns >= leastColumns && inner >= leastInner &&
        batches * parts(rows, tileRows) * parts(columns, sm90TileColumns(kernel) / matmuls) >=
            tilesForMost(deviceOf(kernel));
    const bool isStoredWell =
        (areInterleaved(kernel) && isVectorAligned(kernel)) ||
        std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return store.type == type && store.address.steps[ofRows + 1] == 1;
        });
    const bool areNear =
        std::all_of(kernel.stores.begin(), kernel.stores.end(),
                    [&](const KernelStore &store) { return fits32BitIndex(kernel, store.address); });
    if (!isOfUnits || !isLarge || !isStoredWell || rows * inner > std::numeric_limits<int>::max() ||
        !areNear || kernel.stores.back().type != type ||
        (hasTerms(kernel)
             ? !canGoOn(kernel)
             : kernel.inputs[1].type != type || !canBeCopied(kernel, kernel.inputs[0], ofRows, inner) ||
                   !canBeCopied(kernel, kernel.inputs[1], ofRows + 1, inner)))
        return false;
    // A tile is of one batch: too much of it may lie beyond the batch's rows or columns.
    if (batches > 1 && tileUtilization(kernel) < leastShare)
        return false;
    // Both have the same strides, for a CPU's library.
    if (matmuls == 2 && !hasTerms(kernel) &&
        (matricesOf(kernel) != 3 || kernel.inputs[2].type != type ||
         isMnMajor(kernel, kernel.inputs[1], ofRows + 1) ||
         !canBeCopied(kernel, kernel.inputs[2], ofRows + 1, inner) ||
         kernel.inputs[2].address.steps != kernel.inputs[1].address.steps))
        return false;
    if (!isWorthPasses(kernel, timesOfPass(kernel)))
        return false;
    std::size_t matrices = 0;
    std::size_t vectors = 0;
    for (std::size_t i = firstEpilogueInput(kernel); i < kernel.inputs.size(); ++i) {
        const auto operand = epilogueOperandOf(kernel, kernel.inputs[i]);
        if (!operand || !fits32BitIndex(kernel, kernel.inputs[i].address))
            return false;
        matrices += *operand == EpilogueOperand::LikeOutput ? 1U : 0U;
        vectors += *operand == EpilogueOperand::PerColumn ? 1U : 0U;
    }
    return matrices <= mostMatrices && vectors <= mostVectors &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               const bool isOfMatrix =
                   step.input >= 0 && step.input < static_cast<int>(firstEpilogueInput(kernel));
               const bool isOfInner = step.op == Opcode::Index && step.index.steps.back() != 0;
               return (step.op == Opcode::Index && !isOfInner) || (step.isGuarded && !isOfMatrix);
           });
}

double epilogueInstructions(const Kernel &kernel) {
    double sum = isSm90BatchedMatmul(kernel) || isVectorAligned(kernel) ? 0
                 : epilogueWidth(kernel) > 1                            ? vectorInstructions
                                                                        : scalarInstructions;
    for (auto i = static_cast<std::size_t>(kernel.resultStep()); i < kernel.steps.size(); ++i)
        switch (kernel.steps[i].op) {
        case Opcode::Sigmoid:
        case Opcode::Exp2:
            sum += 5;
            break;
        case Opcode::Exp:
            sum += 9;
            break;
        case Opcode::Tanh:
        case Opcode::Sin:
        case Opcode::Cos:
        case Opcode::Atan:
            sum += 17;
            break;
        default:
            sum += isExpensive(kernel.steps[i].op) ? 25 : 0;
        }
    return sum * elementsOfResult(kernel);
}

std::optional<RepackedMatmul> withRepackedMatrix(const Kernel &kernel, int buffer) {
    if (!kernel.isMatmul() || kernel.loops.size() != 3)
        return std::nullopt;
    const KernelInput from = kernel.inputs[1];
    const std::int64_t columns = kernel.loops[1];
    const std::int64_t inner = kernel.loops[2];
    if (from.address.steps[1] != 1 || from.address.steps[2] == 1 || kernel.loops[0] < leastUses * inner)
        return std::nullopt;
    RepackedMatmul repacked{kernel, {}, {}};
    repacked.copy.device = kernel.device;
    const std::int64_t sectorBytes = deviceOf(kernel).sectorBytes;
    const std::int64_t pitch =
        parts(inner * bytesOf(from.type), sectorBytes) * sectorBytes / bytesOf(from.type);
    repacked.layout = layoutInOrder({columns, inner}, {0, 1}, 1, pitch);
    repacked.copy.loops = {columns, inner};
    repacked.copy.outer = 2;
    KernelInput read = from;
    read.address.steps = {1, from.address.steps[2]};
    const int value = repacked.copy.load(read);
    repacked.copy.stores.push_back({value, buffer, from.type, {0, {pitch, 1}}});
    repacked.copy.finish();
    KernelInput &second = repacked.matmul.inputs[1];
    second.buffer = buffer;
    second.address = {0, {0, pitch, 1}};
    second.elements = 0;
    return repacked;
}

double tileUtilization(const Kernel &kernel) {
    const bool isAcross = isSm90BatchedMatmul(kernel);
    const std::size_t ofRows = hasBatches(kernel) ? 1 : 0;
    const std::int64_t down = isAcross ? batchedTileRows(kernel) : tileRows;
    const std::int64_t across =
        isAcross ? batchedTileColumns
                 : sm90TileColumns(kernel) / static_cast<std::int64_t>(sumsOf(kernel).size());
    const std::int64_t rows = kernel.loops[ofRows];
    const std::int64_t columns = kernel.loops[ofRows + 1];
    return static_cast<double>(rows * columns) /
           static_cast<double>(parts(rows, down) * down * parts(columns, across) * across);
}

int sm90TileColumns(const Kernel &kernel) {
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

/// Of the peak: where a matrix is for one of two sums alone, tensor cores take half as many columns at once.
static double shareOfPhases(const Kernel &kernel) {
    if (!hasTerms(kernel) || sumsOf(kernel).size() < 2)
        return 1;
    double all = 0;
    double taken = 0;
    for (const MatmulPhase &phase : phasesOf(kernel)) {
        const auto sums = static_cast<double>(
            std::count_if(phase.seconds.begin(), phase.seconds.end(), [](int input) { return input >= 0; }));
        const double work = sums * static_cast<double>(phase.inner);
        all += work;
        taken += work / (sums < 2 ? shareOfOneSum : 1);
    }
    return all / taken;
}

bool beginAtSectors(const Kernel &kernel) {
    const std::int64_t sectorBytes = deviceOf(kernel).sectorBytes;
    for (std::size_t i = 0; i < firstEpilogueInput(kernel); ++i)
        for (const std::int64_t step : kernel.inputs[i].address.steps)
            if (step != 1 && !isMultiple(step, kernel.inputs[i].type, sectorBytes))
                return false;
    return true;
}

double sm90ShareOfCublas(const Kernel &kernel) {
    const bool isAcross = isSm90BatchedMatmul(kernel);
    const int width = sm90TileColumns(kernel);
    const std::int64_t tiles = isAcross ? kernel.loops[0] * parts(kernel.loops[1], batchedTileRows(kernel)) *
                                              parts(kernel.loops[2], batchedTileColumns)
                                        : tilesOf(kernel, width);
    const std::int64_t processors = deviceOf(kernel).processors;
    const std::int64_t rounds = parts(tiles, processors);
    const double busy = static_cast<double>(tiles) / static_cast<double>(rounds * processors);
    const double ofWidth = isAcross ? 1 : shareOfWidth(width) * shareOfPhases(kernel);
    return std::min(1.0, usualLoss * tileUtilization(kernel) * busy * ofWidth) *
           (beginAtSectors(kernel) ? 1 : shareWithinSectors);
}

} // namespace warpwright
