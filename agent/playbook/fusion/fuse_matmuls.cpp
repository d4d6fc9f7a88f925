// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_matmuls.h"

#include "agent/playbook/fusion/matmul_epilogue.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"

#include <algorithm>
#include <optional>
#include <set>

namespace warpwright {
namespace {

constexpr std::size_t mostMatmuls = 4;
constexpr std::size_t mostStores = 2;

bool isBareMatmul(const Kernel &kernel) {
    return kernel.structuredOp == StructuredOp::Matmul && kernel.loops.size() == 3 &&
           kernel.epilogue.isEmpty() && kernel.stores.size() == 1 && kernel.inputs.size() == 2 &&
           !kernel.isInTimeStep && kernel.stores[0].step == kernel.resultStep() && !hasTerms(kernel);
}

void erase(Program &program, std::vector<std::size_t> positions) {
    std::sort(positions.rbegin(), positions.rend());
    for (const std::size_t position : positions)
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(position));
}

/// A short loop that no product has, as one of two stacked results, as stores of its own.
Kernel withStoresOfRounds(const Kernel &consumer, const std::set<int> &made) {
    const auto isOfMatmul = [&](std::size_t k) {
        return std::any_of(consumer.inputs.begin(), consumer.inputs.end(), [&](const KernelInput &input) {
            return made.contains(input.buffer) && input.address.steps[k] != 0;
        });
    };
    for (std::size_t k = 0; k < consumer.loops.size(); ++k)
        if (consumer.loops[k] == static_cast<std::int64_t>(mostStores) && consumer.stores.size() == 1 &&
            consumer.stores[0].address.steps[k] != 0 && !isOfMatmul(k)) {
            Kernel all = unrolled(consumer, k);
            all.finish();
            return all;
        }
    return consumer;
}

/// What another kernel computes in the same loops, and its stores, as well.
void addKernel(Kernel &all, const Kernel &other) {
    const std::vector<int> position = addSteps(all, other);
    for (KernelStore store : other.stores) {
        store.step = position[static_cast<std::size_t>(store.step)];
        all.stores.push_back(store);
    }
}

/// The products in their readers, with as few sums as these let them have; empty: that is no kernel of ours.
std::optional<Kernel> fused(std::vector<Kernel> matmuls, const std::vector<Kernel> &consumers) {
    // In the loops of the one that is summed over the longest.
    std::stable_sort(matmuls.begin(), matmuls.end(), [](const Kernel &one, const Kernel &other) {
        return one.loops.back() > other.loops.back();
    });
    std::set<int> made;
    for (Kernel &matmul : matmuls) {
        matmul = withPaddedInner(matmul, matmuls[0].loops.back());
        made.insert(matmul.stores[0].buffer);
    }
    std::optional<Kernel> all;
    for (const Kernel &consumer : consumers) {
        std::optional<Kernel> one = matmulsInConsumer(matmuls, withStoresOfRounds(consumer, made));
        if (!one)
            return std::nullopt;
        if (all)
            addKernel(*all, *one);
        else
            all = std::move(one);
    }
    Kernel together = summedTogether(*all);
    const bool isKnown = hasTerms(together) || sumsOf(together).size() == 2;
    return isKnown && canBeSm90Matmul(together) ? std::optional(std::move(together)) : std::nullopt;
}

/// The kernels that read what a product makes, in their order; none: it is a result itself.
std::vector<std::size_t> consumersOf(const Program &program, std::size_t matmul) {
    const int buffer = program.kernels[matmul].stores[0].buffer;
    std::vector<std::size_t> consumers;
    if (program.buffers[static_cast<std::size_t>(buffer)].kind == ProgramBuffer::Kind::Temporary)
        for (std::size_t i = 0; i < program.kernels.size(); ++i)
            if (reads(program.kernels[i], buffer))
                consumers.push_back(i);
    return consumers;
}

/// Whether all of them can stand where the last one does: nobody before it waits for what another one makes.
bool canStandTogether(const Program &program, const std::vector<std::size_t> &consumers) {
    for (const std::size_t consumer : consumers)
        for (const KernelStore &store : program.kernels[consumer].stores)
            for (std::size_t i = consumer + 1; i <= consumers.back(); ++i)
                if (reads(program.kernels[i], store.buffer))
                    return false;
    return true;
}

/// Bare products as large as this one whose results only these kernels read.
std::vector<std::size_t> siblingMatmuls(const Program &program, const Kernel &matmul,
                                        const std::vector<std::size_t> &consumers) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < consumers.back(); ++i) {
        const Kernel &other = program.kernels[i];
        const bool isOne = isBareMatmul(other) && other.loops[0] == matmul.loops[0] &&
                           other.loops[1] == matmul.loops[1] && other.inputs[0].type == matmul.inputs[0].type;
        if (!isOne)
            continue;
        const std::vector<std::size_t> all = consumersOf(program, i);
        if (!all.empty() && std::includes(consumers.begin(), consumers.end(), all.begin(), all.end()))
            positions.push_back(i);
    }
    return positions.size() <= mostMatmuls ? positions : std::vector<std::size_t>();
}

std::vector<Kernel> kernelsAt(const Program &program, const std::vector<std::size_t> &positions) {
    std::vector<Kernel> kernels;
    for (const std::size_t position : positions)
        kernels.push_back(program.kernels[position]);
    return kernels;
}

/// Of a kernel that sums over rows or windows: the first step through which alone it knows all that these
/// buffers hold; -1: there is none. It is what each element of them comes to.
int mergePointOf(const Kernel &consumer, const std::set<int> &buffers) {
    std::vector<std::set<int>> below(consumer.steps.size()); // of each step: buffers that it is made of
    std::vector<std::size_t> last(consumer.steps.size(), 0); // and where it is used last
    for (std::size_t i = 0; i < consumer.steps.size(); ++i) {
        const KernelStep &step = consumer.steps[i];
        if (step.input >= 0 && buffers.contains(consumer.inputs[static_cast<std::size_t>(step.input)].buffer))
            below[i].insert(consumer.inputs[static_cast<std::size_t>(step.input)].buffer);
        for (const int operand : step.operands) {
            below[i].insert(below[static_cast<std::size_t>(operand)].begin(),
                            below[static_cast<std::size_t>(operand)].end());
            last[static_cast<std::size_t>(operand)] = i;
        }
    }
    for (const KernelStore &store : consumer.stores)
        last[static_cast<std::size_t>(store.step)] = consumer.steps.size();
    for (std::size_t i = 0; i < consumer.steps.size(); ++i) {
        if (isReduction(consumer.steps[i].op) || isScan(consumer.steps[i].op))
            return -1;
        if (below[i].size() < buffers.size())
            continue;
        bool isOnly = true;
        for (std::size_t k = 0; k < i; ++k)
            isOnly = isOnly && (below[k].empty() || last[k] <= i);
        if (isOnly)
            return static_cast<int>(i);
    }
    return -1;
}

/// Where a kernel reads a buffer: one place, of each element once. Empty: it reads more, or less.
std::optional<KernelInput> onlyInputOf(const Kernel &consumer, int buffer) {
    std::optional<KernelInput> found;
    for (const KernelInput &input : consumer.inputs)
        if (input.buffer == buffer) {
            if (found || !input.isPlain())
                return std::nullopt;
            found = input;
        }
    for (std::size_t k = 0; found && k < consumer.loops.size(); ++k)
        if (consumer.loops[k] > 1 && found->address.steps[k] == 0)
            return std::nullopt;
    return found;
}

/// What is made of each element of several products before sums over rows or windows of it: a kernel of ours
/// makes it in the place of the first product's result, and the reader knows no other.
bool fuseMatmulsBeforeReduction(Program &program, std::size_t producer, std::size_t consumerPosition) {
    const Kernel &consumer = program.kernels[consumerPosition];
    const ElementType type = program.kernels[producer].inputs[0].type;
    // What is in the middle of a step may be larger than 16 bits with a short exponent hold.
    if (!isLoopNest(consumer) || !consumer.hasReductions() || type == ElementType::Float16)
        return false;
    const std::vector<std::size_t> positions =
        siblingMatmuls(program, program.kernels[producer], {consumerPosition});
    std::set<int> buffers;
    for (const std::size_t position : positions)
        buffers.insert(program.kernels[position].stores[0].buffer);
    if (positions.size() < 2)
        return false;
    const int mergePoint = mergePointOf(consumer, buffers);
    const int keptBuffer = program.kernels[positions[0]].stores[0].buffer;
    const std::optional<KernelInput> input = onlyInputOf(consumer, keptBuffer);
    if (mergePoint < 0 || !input || consumer.step(mergePoint).type != computeType(type))
        return false;
    Kernel elements = consumer;
    elements.outer = elements.loops.size();
    elements.stores = {{mergePoint, keptBuffer, type, input->address}};
    elements.finish();
    std::optional<Kernel> all = fused(kernelsAt(program, positions), {elements});
    // One result is read instead of all: what a library writes it writes while it multiplies.
    if (!all || !isWorthPasses(*all, static_cast<double>(positions.size() - 1)))
        return false;
    Kernel rest = consumer;
    KernelStep load;
    load.op = Opcode::Load;
    load.type = consumer.step(mergePoint).type;
    load.input = static_cast<int>(std::find(consumer.inputs.begin(), consumer.inputs.end(), *input) -
                                  consumer.inputs.begin());
    load.level = consumer.levelOf(input->address);
    rest.steps[static_cast<std::size_t>(mergePoint)] = load;
    rest.finish();
    program.kernels[consumerPosition] = std::move(rest);
    program.kernels.insert(program.kernels.begin() + static_cast<std::ptrdiff_t>(consumerPosition),
                           std::move(*all));
    erase(program, positions);
    return true;
}

} // namespace

bool fuseMatmuls(Program &program, std::size_t producer) {
    const Kernel &matmul = program.kernels[producer];
    if (!isBareMatmul(matmul))
        return false;
    const std::vector<std::size_t> consumers = consumersOf(program, producer);
    if (consumers.empty() || consumers.size() > mostStores || !program.timeLoops.empty() ||
        !canStandTogether(program, consumers))
        return false;
    const std::vector<Kernel> consumingKernels = kernelsAt(program, consumers);
    const bool arePointwise =
        std::all_of(consumingKernels.begin(), consumingKernels.end(), [](const Kernel &consumer) {
            return consumer.structuredOp == StructuredOp::None && !consumer.hasReductions() &&
                   consumer.scatter.isEmpty();
        });
    if (!arePointwise)
        return consumers.size() == 1 && fuseMatmulsBeforeReduction(program, producer, consumers[0]);
    std::vector<std::size_t> positions = siblingMatmuls(program, matmul, consumers);
    if (positions.size() < 2)
        return false;
    std::optional<Kernel> all = fused(kernelsAt(program, positions), consumingKernels);
    if (!all)
        return false;
    program.kernels[consumers.back()] = std::move(*all);
    positions.insert(positions.end(), consumers.begin(), consumers.end() - 1);
    erase(program, std::move(positions));
    return true;
}

} // namespace warpwright
