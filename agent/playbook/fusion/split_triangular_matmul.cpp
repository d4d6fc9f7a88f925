// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/split_triangular_matmul.h"

#include "agent/playbook/analysis/softmax_pattern.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

/// Results per matmul: about one library tile on each of an H100's SMs.
constexpr std::int64_t leastResults = 120 * 128 * 256;
constexpr std::int64_t mostParts = 8;
constexpr std::int64_t leastInner = 1024;
constexpr std::int64_t innerTile = 64; ///< K step of a library's kernels
constexpr double mostWork = 0.8;       ///< that is left: else launches cost what is saved

struct Range {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Where a matrix may be nonzero: not where `offset` + `outer` * its row + `inner` * its position in this row
/// is negative.
struct Triangle {
    std::int64_t offset = 0;
    std::int64_t outer = 0;
    std::int64_t inner = 0;
};

/// The earlier kernel that alone writes a temporary; empty: none.
const Kernel *producerOf(const Program &program, std::size_t consumer, int buffer) {
    const Kernel *producer = nullptr;
    if (program.buffers[static_cast<std::size_t>(buffer)].kind != ProgramBuffer::Kind::Temporary)
        return nullptr;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        for (const KernelStore &store : program.kernels[i].stores)
            if (store.buffer == buffer) {
                if (producer != nullptr || i >= consumer || program.kernels[i].stores.size() != 1)
                    return nullptr;
                producer = &program.kernels[i];
            }
    const bool isOfElements = producer != nullptr && producer->isLoops() && !producer->hasReductions() &&
                              !producer->hasScans() && !producer->isScattered() &&
                              producer->stores[0].every.empty();
    return isOfElements ? producer : nullptr;
}

bool isZero(const Kernel &kernel, int number) {
    while (kernel.step(number).op == Opcode::Convert)
        number = kernel.step(number).operands[0];
    return kernel.step(number).op == Opcode::Number && kernel.step(number).number == 0;
}

/// The index comparisons without which a step is zero (or none: zero times something may be NaN).
void addZeroUnless(const Kernel &kernel, int number, std::vector<MaskCondition> &all) {
    const KernelStep &step = kernel.step(number);
    if (step.type == ElementType::Bool) {
        addMaskConditions(kernel, number, false, all);
    } else if (step.op == Opcode::Convert || step.op == Opcode::Negate || step.op == Opcode::Divide) {
        addZeroUnless(kernel, step.operands[0], all);
    } else if (step.op == Opcode::Multiply) {
        addZeroUnless(kernel, step.operands[0], all);
        addZeroUnless(kernel, step.operands[1], all);
    } else if (step.op == Opcode::Select && isZero(kernel, step.operands[2])) {
        addMaskConditions(kernel, step.operands[0], false, all);
        addZeroUnless(kernel, step.operands[1], all);
    } else if (step.op == Opcode::Select && isZero(kernel, step.operands[1])) {
        addMaskConditions(kernel, step.operands[0], true, all);
        addZeroUnless(kernel, step.operands[2], all);
    } else if (step.op == Opcode::Load && step.isGuarded && step.number == 0) {
        addMaskConditions(kernel, step.operands.back(), false, all);
    }
}

/// The kernel's loop that its store's address counts in these steps; empty: none.
std::optional<std::size_t> loopOf(const Kernel &producer, std::int64_t step, std::int64_t size) {
    const std::vector<std::int64_t> &steps = producer.stores[0].address.steps;
    for (std::size_t k = 0; k < steps.size(); ++k)
        if (steps[k] == step && producer.loops[k] == size)
            return k;
    return std::nullopt;
}

/// Of a matmul's first matrix (input 0) or second one.
std::vector<Triangle> trianglesOf(const Program &program, std::size_t matmul, std::size_t input) {
    std::vector<Triangle> found;
    const Kernel &kernel = program.kernels[matmul];
    const std::size_t batches = kernel.loops.size() - 3;
    const KernelInput &read = kernel.inputs[input];
    const Kernel *producer = producerOf(program, matmul, read.buffer);
    if (producer == nullptr || !read.isPlain() || producer->stores[0].address.offset != read.address.offset)
        return found;
    // Each loop of the producer has to be one of the matmul's, or the same position is another element.
    std::vector<bool> isMatched(producer->loops.size(), false);
    const auto matchLoop = [&](std::size_t loop) {
        const auto of = loopOf(*producer, read.address.steps[loop], kernel.loops[loop]);
        if (of)
            isMatched[*of] = true;
        return of;
    };
    const auto rows = matchLoop(batches + input);
    const auto inner = matchLoop(batches + 2);
    for (std::size_t k = 0; k < batches; ++k)
        if (read.address.steps[k] != 0 && kernel.loops[k] > 1)
            matchLoop(k);
    if (!rows || !inner || std::find(isMatched.begin(), isMatched.end(), false) != isMatched.end())
        return found;
    std::vector<MaskCondition> all;
    addZeroUnless(*producer, producer->stores[0].step, all);
    for (const MaskCondition &where : all) {
        bool isOfBoth = true;
        for (std::size_t k = 0; k < where.form.steps.size(); ++k)
            isOfBoth = isOfBoth && (k == *rows || k == *inner || where.form.steps[k] == 0);
        if (isOfBoth)
            found.push_back({where.form.offset, where.form.steps[*rows], where.form.steps[*inner]});
    }
    return found;
}

/// The range of K that may be nonzero in rows first to last of a matrix.
Range innerOf(const std::vector<Triangle> &triangles, Range rows, std::int64_t inner) {
    Range range{0, inner};
    for (const Triangle &some : triangles) {
        // The largest value of the terms other than the inner index.
        const std::int64_t most =
            some.offset + std::max(some.outer * rows.first, some.outer * (rows.end - 1));
        if (some.inner == -1)
            range.end = std::min(range.end, most + 1);
        else if (some.inner == 1)
            range.first = std::max(range.first, -most);
    }
    range.first = std::min(range.first, inner - 1) / innerTile * innerTile;
    range.end = std::max(range.end, range.first + 1); // libraries reject an empty K
    range.end = std::min((range.end + innerTile - 1) / innerTile * innerTile, inner);
    return range;
}

/// The matmul of a block of its rows or columns, as `loop` says.
Kernel partOf(const Kernel &matmul, std::size_t loop, Range block, Range inner) {
    Kernel part = matmul;
    const auto move = [&](AffineExpr &address) {
        address.offset += block.first * address.steps[loop] + inner.first * address.steps.back();
    };
    for (KernelInput &input : part.inputs) {
        move(input.address);
        input.elements = 0;
    }
    move(part.stores[0].address);
    part.loops[loop] = block.end - block.first;
    part.loops.back() = inner.end - inner.first;
    return part;
}

/// Empty: it stays as it is.
std::vector<Kernel> partsOf(const Program &program, std::size_t position) {
    const Kernel &matmul = program.kernels[position];
    if (!matmul.isMatmul() || isCellMatmul(matmul) || matmul.loops.size() < 3 || matmul.stores.size() != 1 ||
        hasFusedEpilogue(matmul) || isSkinnyMatmul(matmul) || matmul.loops.back() < leastInner)
        return {};
    const std::size_t batches = matmul.loops.size() - 3;
    const std::int64_t results = elementCount(Shape(matmul.loops.begin(), matmul.loops.end() - 1));
    const std::int64_t count = std::min(results / leastResults, mostParts);
    std::vector<Kernel> best;
    double least = mostWork;
    for (const std::size_t input : {std::size_t(0), std::size_t(1)}) {
        const std::vector<Triangle> triangles = trianglesOf(program, position, input);
        const std::size_t loop = batches + input;
        if (triangles.empty() || count < 2)
            continue;
        const std::int64_t size = matmul.loops[loop];
        const std::int64_t each = ((size + count - 1) / count + innerTile - 1) / innerTile * innerTile;
        std::vector<Kernel> parts;
        double work = 0;
        for (std::int64_t first = 0; first < size; first += each) {
            const Range block{first, std::min(first + each, size)};
            parts.push_back(partOf(matmul, loop, block, innerOf(triangles, block, matmul.loops.back())));
            work += parts.back().operations() / matmul.operations();
        }
        if (work < least) {
            least = work;
            best = std::move(parts);
        }
    }
    return best;
}

} // namespace

void splitTriangularMatmuls(Program &program) {
    if (!program.timeLoops.empty()) // they hold kernel positions
        return;
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const std::vector<Kernel> parts = partsOf(program, i);
        if (parts.empty())
            continue;
        const auto position = program.kernels.begin() + static_cast<std::ptrdiff_t>(i);
        program.kernels.insert(program.kernels.erase(position), parts.begin(), parts.end());
        i += parts.size() - 1;
    }
}

} // namespace warpwright
