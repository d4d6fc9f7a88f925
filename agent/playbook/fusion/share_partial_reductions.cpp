// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/share_partial_reductions.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/fusion/fuse_multi_output.h"
#include "agent/playbook/fusion/split_reduction.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double leastBytes = 16e6; ///< of a read that is saved: twice what is moved in the time of a launch

/// Whether it reads its rows from memory in two loops or more.
bool rereadsRows(const Kernel &kernel) {
    return isLoopNest(kernel) && kernel.hasReductions() && !kernel.hasScans() && !kernel.hasKthValues() &&
           kernel.passCount() > 1 && familyOf(kernel) == KernelFamily::Rows && !hasOnlineSoftmax(kernel) &&
           !canBePersistent(kernel, false) && !(canBeClustered(kernel) && canBePersistent(kernel, true));
}

bool isSinglePassReduction(const Kernel &kernel) {
    return isLoopNest(kernel) && kernel.hasReductions() && !kernel.hasScans() && !kernel.hasKthValues() &&
           kernel.passCount() == 1 && familyOf(kernel) == KernelFamily::Rows;
}

/// Iterations of the first reduction loop that, with the loops inside it, are a row of `columns` elements; 0:
/// none.
std::int64_t iterationsOf(const Kernel &kernel, std::int64_t columns) {
    const std::int64_t inside = kernel.columns() / kernel.loops[kernel.outer];
    const std::int64_t iterations = columns / inside;
    return iterations > 0 && iterations * inside == columns && iterations < kernel.loops[kernel.outer] &&
                   kernel.loops[kernel.outer] % iterations == 0
               ? iterations
               : 0;
}

/// Partial sums, each over so many iterations of the first reduction loop, stored to `memory`, by store.
Kernel partialReductions(const Kernel &kernel, std::int64_t iterations, const std::vector<int> &memory) {
    const auto cut = static_cast<std::ptrdiff_t>(kernel.outer);
    const auto inParts = [&](AffineExpr index) {
        index.steps.insert(index.steps.begin() + cut, index.steps[kernel.outer] * iterations);
        return index;
    };
    Kernel parts;
    parts.device = kernel.device;
    parts.loops = kernel.loops;
    parts.loops[kernel.outer] = iterations;
    parts.loops.insert(parts.loops.begin() + cut, kernel.loops[kernel.outer] / iterations);
    parts.outer = kernel.outer + 1;
    parts.inputs = kernel.inputs;
    for (KernelInput &input : parts.inputs)
        input.address = inParts(input.address);
    std::vector<int> positions;
    for (KernelStep step : kernel.steps) {
        for (int &operand : step.operands)
            operand = positions[static_cast<std::size_t>(operand)];
        step.level = StepLevel::Constant; // levels were those of other loops
        if (step.op == Opcode::Index)
            step.index = inParts(step.index);
        if (step.op == Opcode::Load)
            step.level = parts.levelOf(parts.inputs[static_cast<std::size_t>(step.input)].address);
        else if (step.op == Opcode::Index)
            step.level = parts.levelOf(step.index);
        positions.push_back(parts.append(std::move(step)));
    }
    const Shape shape(parts.loops.begin(), parts.loops.begin() + cut + 1);
    AffineExpr position{0, contiguousStrides(shape)};
    position.steps.resize(parts.loops.size(), 0);
    for (std::size_t i = 0; i < kernel.stores.size(); ++i)
        parts.stores.push_back({positions[static_cast<std::size_t>(kernel.stores[i].step)], memory[i],
                                kernel.stores[i].type, position});
    parts.finish();
    return parts;
}

/// The sums of the partial sums.
Kernel finalReductions(const Kernel &kernel, std::int64_t count, const std::vector<int> &memory) {
    Kernel whole;
    whole.device = kernel.device;
    whole.loops.assign(kernel.loops.begin(),
                       kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer));
    whole.loops.push_back(count);
    whole.outer = kernel.outer;
    for (std::size_t i = 0; i < kernel.stores.size(); ++i) {
        KernelStore store = kernel.stores[i];
        KernelStep sum = kernel.step(store.step);
        KernelInput input;
        input.buffer = memory[i];
        input.type = store.type;
        input.address = {0, contiguousStrides(whole.loops)};
        sum.operands = {whole.load(input)};
        store.step = whole.append(std::move(sum));
        store.address.steps.resize(whole.outer);
        store.address.steps.push_back(0);
        whole.stores.push_back(std::move(store));
    }
    whole.finish();
    return whole;
}

double bytesRead(const Kernel &kernel, int buffer) {
    double most = 0;
    for (const KernelInput &input : kernel.inputs)
        if (input.buffer == buffer && input.isPlain() &&
            kernel.levelOf(input.address) == StepLevel::Element) {
            double bytes = bytesOf(input.type);
            for (std::size_t k = 0; k < kernel.loops.size(); ++k)
                bytes *= input.address.steps[k] != 0 ? static_cast<double>(kernel.loops[k]) : 1;
            most = std::max(most, bytes);
        }
    return most;
}

class PartialReductionSharing {
public:
    PartialReductionSharing(const Program &program, std::size_t producer, std::size_t consumer)
        : m_program(program), m_producer(producer), m_consumer(consumer) {}

    /// The transformed program; empty: they share nothing.
    std::optional<Program> run() const {
        const Kernel &producer = m_program.kernels[m_producer];
        const Kernel &consumer = m_program.kernels[m_consumer];
        if (producer.rows() * producer.columns() != consumer.rows() * consumer.columns() ||
            !readsAlike(consumer, producer))
            return std::nullopt;
        Program program = m_program;
        const FirstPass passes = splitFirstPass(program, consumer);
        const Kernel &sums = passes.first;
        const std::int64_t iterations = iterationsOf(sums, producer.columns());
        if (iterations == 0 || !isThereBefore(sums) || !isThereBefore(producer) ||
            !sharesMemory(sums, producer) || passes.rest.passCount() >= consumer.passCount())
            return std::nullopt;
        const std::int64_t count = sums.loops[sums.outer] / iterations;
        Shape shape(sums.loops.begin(), sums.loops.begin() + static_cast<std::ptrdiff_t>(sums.outer));
        shape.push_back(count);
        std::vector<int> memory;
        for (const KernelStore &store : sums.stores)
            memory.push_back(addTemporary(program, shape, store.type));
        program.kernels[m_consumer] = passes.rest;
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(m_producer));
        program.kernels.insert(
            program.kernels.begin() + static_cast<std::ptrdiff_t>(first()),
            {producer, partialReductions(sums, iterations, memory), finalReductions(sums, count, memory)});
        fuseMultiOutput(program);
        return isFused(program, producer.stores[0].buffer, memory[0]) ? std::optional(std::move(program))
                                                                      : std::nullopt;
    }

private:
    /// Position of all of them from then on.
    [[nodiscard]] std::size_t first() const { return std::min(m_producer, m_consumer); }

    [[nodiscard]] bool isThereBefore(const Kernel &kernel) const {
        return std::all_of(kernel.inputs.begin(), kernel.inputs.end(), [this](const KernelInput &input) {
            for (std::size_t i = first(); i < m_program.kernels.size(); ++i)
                for (const KernelStore &store : m_program.kernels[i].stores)
                    if (store.buffer == input.buffer)
                        return false;
            return true;
        });
    }

    static bool readsAlike(const Kernel &consumer, const Kernel &producer) {
        return std::any_of(consumer.inputs.begin(), consumer.inputs.end(), [&](const KernelInput &input) {
            return std::any_of(producer.inputs.begin(), producer.inputs.end(),
                               [&input](const KernelInput &other) { return other.buffer == input.buffer; });
        });
    }

    static bool sharesMemory(const Kernel &first, const Kernel &producer) {
        return std::any_of(first.inputs.begin(), first.inputs.end(), [&](const KernelInput &input) {
            return bytesRead(first, input.buffer) >= leastBytes &&
                   bytesRead(first, input.buffer) == bytesRead(producer, input.buffer);
        });
    }

    /// Whether one kernel stores both.
    static bool isFused(const Program &program, int one, int other) {
        return std::any_of(program.kernels.begin(), program.kernels.end(), [&](const Kernel &kernel) {
            const auto isStored = [&](int buffer) {
                return std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                   [buffer](const KernelStore &store) { return store.buffer == buffer; });
            };
            return isStored(one) && isStored(other);
        });
    }

    const Program &m_program;
    std::size_t m_producer;
    std::size_t m_consumer;
};

} // namespace

void sharePartialReductions(Program &program) {
    if (!program.timeLoops.empty())
        return;
    for (std::size_t consumer = 0; consumer < program.kernels.size(); ++consumer)
        for (std::size_t producer = 0;
             producer < program.kernels.size() && rereadsRows(program.kernels[consumer]); ++producer)
            if (producer != consumer && isSinglePassReduction(program.kernels[producer]))
                if (auto shared = PartialReductionSharing(program, producer, consumer).run()) {
                    program = std::move(*shared);
                    consumer = 0; // positions have changed
                    producer = 0;
                }
}

} // namespace warpwright
