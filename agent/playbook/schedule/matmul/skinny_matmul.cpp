// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/matmul/skinny_matmul.h"

#include "agent/playbook/ir/element_type.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/ir/opcode.h"
#include "agent/playbook/ir/structured_op.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostSmall = 32; ///< columns, and elements of a sum
constexpr std::int64_t fewInner =
    16; ///< elements of a sum: a library's tensor cores would multiply little but zeros,
constexpr std::int64_t mostColumns = 512; ///< with so many columns as well
constexpr std::int64_t leastTall = 4096;  ///< rows: fewer leave a GPU idle
// Of one SM of an H200, per cycle: multiplications and additions, and bytes from memory.
constexpr std::int64_t cycleOperations = 128;
constexpr std::int64_t cycleBytes = 21;
constexpr std::int64_t mostHeld = 64;          ///< elements per thread: beyond it they spill
constexpr std::int64_t sharedBytes = 46 << 10; ///< of the 48 KiB that a block has without opting in

} // namespace

bool isSkinnyMatmul(const Kernel &kernel) {
    // An added tensor lies like the result: a library reads it in the order in which it writes.
    if (!kernel.isMatmul() || kernel.epilogue()->added >= 0)
        return false;
    const SkinnyMatmulLoops loops(kernel);
    // Stores along the columns are transposed in shared memory, which has room for few.
    const AffineExpr &result = kernel.stores[0].address;
    if (kernel.loops[loops.small] > mostSmall && result.steps[loops.tall] != 1)
        return false;
    return isSkinnyMatmul({kernel.loops[loops.tall], kernel.loops[loops.inner], kernel.loops[loops.small]},
                          bytesOf(kernel.inputs[0].type));
}

bool hasFusedEpilogue(const Kernel &kernel) {
    return kernel.isMatmul() && !kernel.hasEpilogue() &&
           (kernel.stores[0].step != kernel.resultStep() || hasTerms(kernel));
}

bool canBeSkinnyMatmulWithEpilogue(const Kernel &kernel) {
    return isSkinnyMatmul(kernel) && kernel.stores.size() == 1 &&
           kernel.stores[0].type == ElementType::Float32 &&
           std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [](const KernelInput &input) {
                           return input.isPlain() && input.type == ElementType::Float32;
                       }) &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(),
                        [](const KernelStep &step) { return step.op == Opcode::Index || step.isGuarded; });
}

bool isSkinnyMatmul(const Shape &sizes, int bytes) {
    const std::int64_t tall = sizes[0];
    const std::int64_t inner = sizes[1];
    const std::int64_t columns = sizes[2];
    const bool isBoundByMemory = inner * columns * cycleBytes <= (inner + columns) * bytes * cycleOperations;
    const std::int64_t factors = columns * ((inner + 3) / 4 * 4);
    const bool fits = (factors + skinnyMatmulThreads * (inner | 1)) * std::max(bytes, 4) <= sharedBytes;
    return fits && inner <= mostSmall && columns <= (inner <= fewInner ? mostColumns : mostSmall) &&
           tall >= leastTall && isBoundByMemory;
}

std::vector<int> skinnyMatmulRows(const Kernel &kernel) {
    const SkinnyMatmulLoops loops(kernel);
    const std::int64_t inner = kernel.loops[loops.inner];
    const std::int64_t columns = kernel.loops[loops.small];
    const std::int64_t bytes = kernel.inputs[0].type == ElementType::Float64 ? 8 : 4;
    const std::int64_t factors = columns * ((inner + 3) / 4 * 4);
    const std::int64_t staged = std::max(loops.isReadTransposed(kernel) ? inner | 1 : 0,
                                         loops.isWrittenTransposed(kernel) ? columns | 1 : 0);
    std::vector<int> choices;
    for (const int rows : {4, 2, 8, 1})
        if (rows == 1 || (rows * inner <= mostHeld &&
                          (rows * skinnyMatmulThreads * staged + factors) * bytes <= sharedBytes))
            choices.push_back(rows);
    return choices;
}

bool isSm90Matmul(const Kernel &kernel) {
    return isCellMatmul(kernel) || (hasFusedEpilogue(kernel) && !isSkinnyMatmul(kernel));
}

} // namespace warpwright
