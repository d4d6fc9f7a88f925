// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/cell_matmul.h"

#include "agent/playbook/fusion/matmul_epilogue.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t vecBytes = 16;
constexpr std::int64_t mostRows = 256;
constexpr std::int64_t mostColumns = 6144; ///< of all matmuls: with more a library's tiles fill a device
constexpr std::int64_t mostInner = 8192;
constexpr std::int64_t leastInner = 32;
constexpr std::size_t mostMatmuls = 8;
constexpr std::size_t mostSteps = 200;
constexpr double mostSeconds = 6.5e-6; ///< beyond it a library call and a pass are as quick

bool isWholeVectors(std::int64_t elements, ElementType type) {
    return elements >= 0 && elements * bytesOf(type) % vecBytes == 0;
}

/// Contiguous along the inner dimension, in whole vectors.
bool isInnerContiguous(const KernelInput &input, std::size_t rows) {
    return input.address.steps[2] == 1 && isWholeVectors(input.address.steps[rows], input.type) &&
           isWholeVectors(input.address.offset, input.type);
}

/// The store does not alias the input: other memory, or another slot of the same ring or history.
bool isNotAliased(const Program &program, const KernelInput &input, const KernelStore &store) {
    if (program.memoryOf(input.buffer) != program.memoryOf(store.buffer))
        return true;
    const ProgramBuffer &from = program.buffers[static_cast<std::size_t>(input.buffer)];
    const ProgramBuffer &to = program.buffers[static_cast<std::size_t>(store.buffer)];
    return from.kind == ProgramBuffer::Kind::Window && to.kind == ProgramBuffer::Kind::Window &&
           from.window.offset == to.window.offset && from.window.step == to.window.step &&
           from.window.step > 0 && from.window.ring == to.window.ring && from.window.ring != 1 &&
           to.window.first == from.window.first + 1;
}

} // namespace

bool canBeCellMatmul(const Program &program, const Kernel &kernel) {
    const auto matmuls = static_cast<std::int64_t>(firstEpilogueInput(kernel)) - 1;
    if (!isCellMatmul(kernel) || kernel.loops.size() != 3 || kernel.loops[0] > mostRows ||
        kernel.loops[2] < leastInner || kernel.loops[2] > mostInner ||
        kernel.loops[1] * matmuls > mostColumns || kernel.steps.size() > mostSteps)
        return false;
    const ElementType type = kernel.inputs[0].type;
    const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
    const std::size_t epilogueStart = firstEpilogueInput(kernel);
    if ((type != ElementType::Float32 && !isHalf) || epilogueStart > mostMatmuls + 1 ||
        !isWholeVectors(kernel.loops[2], type) || !isInnerContiguous(kernel.inputs[0], 0))
        return false;
    const AffineExpr &second = kernel.inputs[1].address;
    for (std::size_t i = 1; i < epilogueStart; ++i) {
        const KernelInput &input = kernel.inputs[i];
        const bool isTransposed = !isHalf && input.address.steps[1] == 1 && input.address.steps[2] > 0;
        const std::int64_t distance = i > 1 ? kernel.inputs[2].address.offset - second.offset : 0;
        if (input.type != type || input.buffer != kernel.inputs[1].buffer ||
            (!isInnerContiguous(input, 1) && !isTransposed) || input.address.steps != second.steps ||
            input.address.offset != second.offset + static_cast<std::int64_t>(i - 1) * distance)
            return false;
    }
    const auto has32BitIndices = [&kernel](const AffineExpr &address) {
        const auto range = rangeOf(address, kernel.loops);
        return range.first >= 0 && range.second < std::numeric_limits<int>::max();
    };
    if (cellMatmulSeconds(kernel) > mostSeconds)
        return false;
    for (const KernelInput &input : kernel.inputs)
        if (!input.isPlain() || !has32BitIndices(input.address) ||
            std::any_of(kernel.stores.begin(), kernel.stores.end(),
                        [&](const KernelStore &store) { return !isNotAliased(program, input, store); }))
            return false;
    return std::all_of(kernel.stores.begin(), kernel.stores.end(),
                       [&](const KernelStore &store) {
                           return store.every.empty() && has32BitIndices(store.address);
                       }) &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
               return step.isGuarded || step.op == Opcode::Index ||
                      (step.op == Opcode::Load && !step.operands.empty()) ||
                      (isReduction(step.op) && step.op != Opcode::RowSum) || isScan(step.op);
           });
}

namespace {

bool isElementwise(const Kernel &kernel) {
    return isLoopNest(kernel) && !kernel.hasReductions() && !kernel.hasScans();
}

/// The slices of a matmul's columns that a consumer reads, each as a matmul.
std::vector<Kernel> columnSlicesFor(const Kernel &matmul, const Kernel &consumer) {
    const KernelStore &made = matmul.stores[0];
    const std::int64_t elements = elementCount(consumer.loops);
    const std::int64_t columns = elements / matmul.loops[0];
    if (elements % matmul.loops[0] != 0 || columns == 0 || matmul.loops[1] % columns != 0 ||
        made.address.steps[1] != 1)
        return {};
    std::vector<std::int64_t> begins;
    for (const KernelInput &input : consumer.inputs) {
        const std::int64_t begin = input.address.offset - made.address.offset;
        if (input.buffer != made.buffer || std::find(begins.begin(), begins.end(), begin) != begins.end())
            continue;
        if (begin < 0 || begin % columns != 0 || begin >= matmul.loops[1])
            return {};
        begins.push_back(begin);
    }
    std::sort(begins.begin(), begins.end());
    std::vector<Kernel> all;
    for (const std::int64_t begin : begins) {
        Kernel part = matmul;
        part.loops[1] = columns;
        for (KernelInput &input : part.inputs)
            input.address.offset += begin * input.address.steps[1];
        part.stores[0].address.offset += begin;
        part.matmul()->epilogue = {}; // its steps express it
        all.push_back(std::move(part));
    }
    return all;
}

/// Inputs in the order that codegen expects: the first matrix, the second ones, others.
void orderInputs(Kernel &kernel) {
    std::vector<int> order{0};
    for (const int sum : sumsOf(kernel)) {
        const std::vector<int> &factors = kernel.step(kernel.step(sum).operands[0]).operands;
        const int input = kernel.step(factors[0]).input;
        order.push_back(input == 0 ? kernel.step(factors[1]).input : input);
    }
    for (int input = 0; input < static_cast<int>(kernel.inputs.size()); ++input)
        if (std::find(order.begin(), order.end(), input) == order.end())
            order.push_back(input);
    std::vector<KernelInput> inputs;
    for (const int input : order)
        inputs.push_back(kernel.inputs[static_cast<std::size_t>(input)]);
    kernel.inputs = std::move(inputs);
    for (KernelStep &step : kernel.steps)
        if (step.op == Opcode::Load)
            step.input = static_cast<int>(std::find(order.begin(), order.end(), step.input) - order.begin());
}

class CellMatmulFusion {
public:
    CellMatmulFusion(Program &program, TimeLoop &timeLoop) : m_program(program), m_timeLoop(timeLoop) {}

    /// Whether a matmul is one of ours now.
    bool run() {
        for (std::size_t i = m_timeLoop.first; i < m_timeLoop.first + m_timeLoop.count; ++i)
            if (fuse(i))
                return true;
        return false;
    }

private:
    /// The kernel of this time step that alone reads the producer's result, if it is pointwise.
    [[nodiscard]] std::optional<std::size_t> consumerOf(std::size_t producer) const {
        const Kernel &kernel = m_program.kernels[producer];
        if (kernel.stores.size() != 1)
            return std::nullopt;
        const std::optional<std::size_t> consumer = onlyConsumer(m_program, producer);
        const bool isInLoop = consumer && *consumer < m_timeLoop.first + m_timeLoop.count;
        return isInLoop && isElementwise(m_program.kernels[*consumer]) ? consumer : std::nullopt;
    }

    bool fuse(std::size_t index) {
        const Kernel &matmul = m_program.kernels[index];
        if (!matmul.isMatmul() || matmul.loops.size() != 3 || isCellMatmul(matmul) ||
            matmul.stores.size() != 1 || matmul.inputs.size() < 2)
            return false;
        const std::optional<std::size_t> consumer = consumerOf(index);
        // A pointwise pass over all columns, whose slices the next kernel reads, fuses into that.
        if (const std::optional<std::size_t> next = consumer ? consumerOf(*consumer) : std::nullopt)
            if (const auto inside =
                    withProducerInside(m_program.kernels[*consumer], m_program.kernels[*next]))
                if (replace(matmul, *inside, *next)) {
                    drop(*consumer);
                    drop(index);
                    return true;
                }
        if (consumer && replace(matmul, m_program.kernels[*consumer], *consumer)) {
            drop(index);
            return true;
        }
        return replaceAlone(index);
    }

    /// For consumers that are not pointwise: reductions of a norm, another matmul.
    bool replaceAlone(std::size_t index) {
        Kernel alone = m_program.kernels[index];
        *alone.matmul() = {.epilogue = {}, .isCellKernel = true}; // its steps express the epilogue
        orderInputs(alone);
        if (!canBeCellMatmul(m_program, alone))
            return false;
        m_program.kernels[index] = std::move(alone);
        return true;
    }

    bool replace(const Kernel &matmul, const Kernel &consumer, std::size_t index) {
        const std::vector<Kernel> all = columnSlicesFor(matmul, consumer);
        auto kernel = all.empty() ? std::nullopt : matmulsInConsumer(all, consumer);
        if (kernel) {
            kernel->matmul()->isCellKernel = true;
            orderInputs(*kernel);
        }
        if (!kernel || !canBeCellMatmul(m_program, *kernel))
            return false;
        m_program.kernels[index] = std::move(*kernel);
        return true;
    }

    void drop(std::size_t index) {
        m_program.kernels.erase(m_program.kernels.begin() + static_cast<std::ptrdiff_t>(index));
        --m_timeLoop.count;
        for (TimeLoop &other : m_program.timeLoops)
            other.first -= other.first > index ? 1U : 0U;
    }

    Program &m_program;
    TimeLoop &m_timeLoop;
};

} // namespace

void fuseCellMatmuls(Program &program) {
    if (program.choices.hasSm90Matmuls)
        for (TimeLoop &timeLoop : program.timeLoops)
            while (CellMatmulFusion(program, timeLoop).run()) {
            }
}

} // namespace warpwright
