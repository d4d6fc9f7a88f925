// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/matmul/sm90_batched_matmul.h"

#include "agent/playbook/analysis/instruction_cost.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t vec = 4;        ///< floats of one instruction, and of TMA's alignment
constexpr std::int64_t leastRows = 32; ///< with fewer the tensor cores wait for loads
constexpr std::int64_t leastInner = 32;
constexpr std::int64_t maxEpilogueVectors = 4; ///< epilogue operands: registers are few
constexpr std::int64_t mostOfRows = 8;

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

/// Along the columns or one for all of them, in vectors, and indexed by an int.
bool isAlongColumns(const Kernel &kernel, const AffineExpr &address) {
    const std::int64_t column = address.steps[2];
    std::int64_t last = address.offset;
    bool isVectorAligned = address.offset >= 0;
    for (std::size_t k = 0; k < 3; ++k) {
        isVectorAligned = isVectorAligned && address.steps[k] >= 0;
        last += address.steps[k] * (kernel.loops[k] - 1);
        if (k != 2 && column == 1)
            isVectorAligned = isVectorAligned && address.steps[k] % vec == 0;
    }
    return isVectorAligned && column <= 1 && (column == 0 || address.offset % vec == 0) &&
           last <= std::numeric_limits<int>::max();
}

} // namespace

bool isSm90BatchedMatmul(const Kernel &kernel) {
    return isSm90Matmul(kernel) && hasBatches(kernel) && kernel.inputs[0].type == ElementType::Float32 &&
           kernel.inputs[1].address.steps[3] != 1;
}

bool canBeSm90BatchedMatmul(const Kernel &kernel) {
    if (!kernel.isMatmul() || kernel.loops.size() != 4 || kernel.hasEpilogue() || kernel.stores.size() != 1 ||
        isSkinnyMatmul(kernel) || secondSumOf(kernel) >= 0 || hasSlowSteps(kernel))
        return false;
    const std::int64_t rows = kernel.loops[1];
    const std::int64_t columns = kernel.loops[2];
    const std::int64_t inner = kernel.loops[3];
    const AffineExpr &first = kernel.inputs[0].address;
    const AffineExpr &second = kernel.inputs[1].address;
    const KernelStore &store = kernel.stores[0];
    const bool isLarge =
        rows >= leastRows && inner >= leastInner &&
        kernel.loops[0] * parts(columns, batchedTileColumns) * parts(rows, batchedTileRows(kernel)) >=
            tilesForMost(deviceOf(kernel));
    // The same for all batches, as weights are, or one for each.
    const bool isOfWeights = first.steps[0] >= 0 && first.steps[0] % vec == 0 &&
                             (first.steps[0] == 0 || first.steps[0] >= inner) && first.steps[3] == 1 &&
                             first.steps[1] >= inner && first.steps[1] % vec == 0 &&
                             first.offset % vec == 0 && first.offset >= 0;
    const bool isOfColumns = second.steps[2] == 1 && second.steps[1] == 0 && second.steps[3] >= columns &&
                             second.steps[3] % vec == 0 && second.steps[0] >= columns &&
                             second.steps[0] % vec == 0 && second.offset % vec == 0 && second.offset >= 0;
    if (!isLarge || !isOfWeights || !isOfColumns || columns % vec != 0 || store.address.steps[2] != 1 ||
        !isAlongColumns(kernel, store.address))
        return false;
    return std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [](const KernelInput &input) {
                           return input.isPlain() && input.type == ElementType::Float32;
                       }) &&
           store.type == ElementType::Float32 && epilogueVectors(kernel) <= maxEpilogueVectors &&
           static_cast<std::int64_t>(kernel.inputs.size()) - 2 - epilogueVectors(kernel) <= mostOfRows &&
           std::all_of(kernel.inputs.begin() + 2, kernel.inputs.end(),
                       [&](const KernelInput &input) { return isAlongColumns(kernel, input.address); }) &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(),
                        [](const KernelStep &step) { return step.op == Opcode::Index || step.isGuarded; });
}

std::int64_t epilogueVectors(const Kernel &kernel) {
    return std::count_if(kernel.inputs.begin() + 2, kernel.inputs.end(),
                         [](const KernelInput &input) { return input.address.steps[2] != 0; });
}

int batchedTileRows(const Kernel &kernel) {
    // A thread has as many sums as rows; the columns are read once for each tile of rows.
    int best = 128;
    for (const int rows : {96, 64})
        if (parts(kernel.loops[1], rows) * rows < parts(kernel.loops[1], best) * best)
            best = rows;
    return best;
}

} // namespace warpwright
