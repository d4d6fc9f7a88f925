// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/matmul_epilogue.h"

#include "agent/playbook/ir/affine_map.h"
#include "agent/playbook/ir/opcode.h"
#include "agent/playbook/ir/structured_op.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

/// Maps the result loops of a structured op to loops of its consumer.
struct ResultLoopMap {
    struct Dimension {
        int loop = -1;           ///< -1: of size 1
        std::int64_t factor = 1; ///< in the loop's steps: a loop may fuse several dimensions
        std::int64_t size = 1;   ///< of the consumer's loop
        std::int64_t every = 1;  ///< stride in the result's positions

        bool operator==(const Dimension &) const = default;
    };
    std::vector<Dimension> dimensions;

    [[nodiscard]] AffineExpr moved(const AffineExpr &index) const {
        AffineExpr answer{index.offset, {}};
        for (const Dimension &some : dimensions)
            answer.steps.push_back(
                some.loop < 0 ? 0 : index.steps[static_cast<std::size_t>(some.loop)] * some.factor);
        return answer;
    }
    /// As `KernelStore::every`.
    [[nodiscard]] std::vector<std::int64_t> skipped() const {
        std::vector<std::int64_t> every;
        for (const Dimension &some : dimensions)
            every.push_back(some.every);
        if (std::all_of(every.begin(), every.end(), [](std::int64_t number) { return number == 1; }))
            every.clear();
        return every;
    }
    /// Whether it depends on a strided dimension, which the result's loops do not have.
    [[nodiscard]] bool countsSkipped(const AffineExpr &index) const {
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            if (dimensions[d].every > 1 && index.steps[d] != 0)
                return true;
        return false;
    }
    bool operator==(const ResultLoopMap &) const = default;
};

constexpr std::int64_t mostSkipped = 4;

/// Empty: the loops do not cover the result.
std::optional<ResultLoopMap> mapResult(const Kernel &structuredOp, const Kernel &consumer,
                                       const AffineExpr &address,
                                       ConsumerCoverage coverage = ConsumerCoverage::Block) {
    const AffineExpr &made = structuredOp.stores[0].address;
    if (address.offset != made.offset)
        return std::nullopt;
    ResultLoopMap found;
    found.dimensions.resize(structuredOp.loops.size());
    for (std::size_t k = 0; k < consumer.loops.size(); ++k) {
        std::int64_t step = address.steps[k];
        std::int64_t left = consumer.loops[k];
        for (std::int64_t factor = 1; left > 1;) {
            std::size_t d = 0;
            // A stride of 0, where the consumer broadcasts the result or reduces over a loop, is no result
            // dimension.
            while (d < structuredOp.loops.size() && (structuredOp.loops[d] == 1 || made.steps[d] == 0 ||
                                                     made.steps[d] != step || found.dimensions[d].loop >= 0))
                ++d;
            std::int64_t every = 1;
            if (d == structuredOp.loops.size() && coverage == ConsumerCoverage::Whole)
                for (d = 2; d < structuredOp.loops.size(); ++d) {
                    every = made.steps[d] == 0 ? 1 : step / made.steps[d];
                    if (structuredOp.loops[d] > every && every > 1 && every <= mostSkipped &&
                        step == every * made.steps[d] && found.dimensions[d].loop < 0)
                        break;
                }
            if (d == structuredOp.loops.size())
                return std::nullopt;
            const std::int64_t size = std::min(left, (structuredOp.loops[d] - 1) / every + 1);
            if (left % size != 0)
                return std::nullopt;
            found.dimensions[d] = {static_cast<int>(k), factor, size, every};
            factor *= size;
            step *= size;
            left /= size;
        }
    }
    for (std::size_t d = 0; d < structuredOp.loops.size(); ++d) {
        if (!structuredOp.isConvolution() && made.steps[d] == 0)
            continue; // a reduction loop
        const bool isSpace = structuredOp.isConvolution() && d >= 2 && coverage == ConsumerCoverage::Block;
        if (found.dimensions[d].size != (structuredOp.loops[d] - 1) / found.dimensions[d].every + 1 &&
            (!isSpace || found.dimensions[d].loop < 0))
            return std::nullopt;
    }
    return found;
}

/// Appends a matmul with the same first matrix to another one; returns the step of its accumulator.
int addMatmul(Kernel &all, const Kernel &matmul) {
    std::vector<int> position;
    for (const KernelStep &step : matmul.steps) {
        std::vector<int> operands;
        for (const int operand : step.operands)
            operands.push_back(position[static_cast<std::size_t>(operand)]);
        if (step.op == Opcode::Load)
            position.push_back(all.load(matmul.inputs[static_cast<std::size_t>(step.input)], {},
                                        step.isGuarded ? operands.back() : -1));
        else if (step.op == Opcode::Index)
            position.push_back(all.index(step.index));
        else
            position.push_back(step.op == Opcode::Number ? all.number(step.number, step.type)
                                                         : all.add(step.op, step.type, std::move(operands)));
    }
    return position[static_cast<std::size_t>(matmul.stores[0].step)];
}

/// Which of these kernels stores that input; -1: none, -2: a slice that none of them stores.
int producerOf(const std::vector<Kernel> &producers, const KernelInput &input) {
    int found = -1;
    for (std::size_t i = 0; i < producers.size() && found < 0; ++i)
        if (const KernelStore &made = producers[i].stores[0]; made.buffer == input.buffer)
            found = producers.size() == 1 || made.address.offset == input.address.offset ? static_cast<int>(i)
                                                                                         : -2;
    return found;
}

} // namespace

std::optional<Kernel> withConsumer(const std::vector<Kernel> &producers, const Kernel &consumer,
                                   ConsumerCoverage coverage, bool mayMixTypes) {
    const Kernel &structuredOp = producers[0];
    const KernelStore made = structuredOp.stores[0];
    const bool isOneType = !structuredOp.isAttention() && !mayMixTypes; // emitted with one type
    std::vector<const KernelInput *> producerInputs(producers.size());
    for (const KernelInput &input : consumer.inputs) {
        const int producer = producerOf(producers, input);
        if (!input.isPlain() || producer < -1 || (input.type != made.type && (producer >= 0 || isOneType)))
            return std::nullopt;
        if (producer >= 0 &&
            std::exchange(producerInputs[static_cast<std::size_t>(producer)], &input) != nullptr)
            return std::nullopt;
    }
    if (std::find(producerInputs.begin(), producerInputs.end(), nullptr) != producerInputs.end() ||
        (isOneType && std::any_of(consumer.stores.begin(), consumer.stores.end(),
                                  [&made](const KernelStore &store) { return store.type != made.type; })))
        return std::nullopt;
    const auto result = mapResult(structuredOp, consumer, producerInputs[0]->address, coverage);
    for (std::size_t i = 1; i < producers.size(); ++i)
        if (mapResult(producers[i], consumer, producerInputs[i]->address) != result)
            return std::nullopt;
    if (!result)
        return std::nullopt;
    Kernel all = structuredOp;
    if (structuredOp.isConvolution() && coverage == ConsumerCoverage::Block) {
        for (std::size_t d = 0; d < all.loops.size(); ++d)
            all.loops[d] = result->dimensions[d].size;
        all.convolution()->sizes.output = all.loops;
    }
    std::vector<int> sums{made.step};
    for (std::size_t i = 1; i < producers.size(); ++i)
        sums.push_back(addMatmul(all, producers[i]));
    std::vector<int> position;
    for (const KernelStep &step : consumer.steps) {
        if (step.isGuarded)
            return std::nullopt;
        if (step.op == Opcode::Load) {
            KernelInput input = consumer.inputs[static_cast<std::size_t>(step.input)];
            const int producer = producerOf(producers, input);
            input.address = result->moved(input.address);
            if (producer < 0 && result->countsSkipped(input.address))
                return std::nullopt;
            position.push_back(producer >= 0 ? sums[static_cast<std::size_t>(producer)] : all.load(input));
        } else if (step.op == Opcode::Number) {
            position.push_back(all.number(step.number, step.type));
        } else if (step.op == Opcode::Index) {
            if (result->countsSkipped(result->moved(step.index)))
                return std::nullopt;
            position.push_back(all.index(result->moved(step.index)));
        } else {
            std::vector<int> operands;
            for (const int operand : step.operands)
                operands.push_back(position[static_cast<std::size_t>(operand)]);
            position.push_back(all.add(step.op, step.type, std::move(operands)));
        }
    }
    if (coverage == ConsumerCoverage::Block)
        all.stores.clear();
    for (const KernelStore &store : consumer.stores)
        all.stores.push_back({position[static_cast<std::size_t>(store.step)], store.buffer, store.type,
                              result->moved(store.address), result->skipped()});
    return all;
}

std::optional<Kernel> matmulsInConsumer(const std::vector<Kernel> &matmuls, const Kernel &consumer) {
    return withConsumer(matmuls, consumer, ConsumerCoverage::Block, true);
}

} // namespace warpwright
