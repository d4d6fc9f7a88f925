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
    return kernel.isMatmul() && kernel.loops.size() == 3 && !kernel.hasEpilogue() &&
           kernel.stores.size() == 1 && kernel.inputs.size() == 2 && !isCellMatmul(kernel) &&
           kernel.stores[0].step == kernel.resultStep() && !hasTerms(kernel);
}

void erase(Program &program, std::vector<std::size_t> positions) {
    std::sort(positions.rbegin(), positions.rend());
    for (const std::size_t position : positions)
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(position));
}

/// Turns a short loop that no matmul has, as over two stacked results, into stores of its own.
Kernel withStoresOfIterations(const Kernel &consumer, const std::set<int> &made) {
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

/// Appends another kernel's steps in the same loops, and its stores.
void addKernel(Kernel &all, const Kernel &other) {
    const std::vector<int> position = addSteps(all, other);
    for (KernelStore store : other.stores) {
        store.step = position[static_cast<std::size_t>(store.step)];
        all.stores.push_back(store);
    }
}

/// The matmuls fused into their consumers, with the fewest accumulators; empty: no kernel of ours.
std::optional<Kernel> fused(std::vector<Kernel> matmuls, const std::vector<Kernel> &consumers) {
    // Takes the loops of the one with the largest K.
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
        std::optional<Kernel> one = matmulsInConsumer(matmuls, withStoresOfIterations(consumer, made));
        if (!one)
            return std::nullopt;
        if (all)
            addKernel(*all, *one);
        else
            all = std::move(one);
    }
    Kernel together = mergedSums(*all);
    const bool isKnown = hasTerms(together) || sumsOf(together).size() == 2;
    return isKnown && canBeSm90Matmul(together) ? std::optional(std::move(together)) : std::nullopt;
}

/// The consumers of a matmul's result, in order; none: it is a result of the program.
std::vector<std::size_t> consumersOf(const Program &program, std::size_t matmul) {
    const int buffer = program.kernels[matmul].stores[0].buffer;
    std::vector<std::size_t> consumers;
    if (program.buffers[static_cast<std::size_t>(buffer)].kind == ProgramBuffer::Kind::Temporary)
        for (std::size_t i = 0; i < program.kernels.size(); ++i)
            if (reads(program.kernels[i], buffer))
                consumers.push_back(i);
    return consumers;
}

/// Whether all can move to the last one's position: no kernel before it reads what another one stores.
bool canStandTogether(const Program &program, const std::vector<std::size_t> &consumers) {
    for (const std::size_t consumer : consumers)
        for (const KernelStore &store : program.kernels[consumer].stores)
            for (std::size_t i = consumer + 1; i <= consumers.back(); ++i)
                if (reads(program.kernels[i], store.buffer))
                    return false;
    return true;
}

/// Bare matmuls of the same size whose results only these kernels read.
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

/// Of a kernel that reduces over rows or windows: the first step that is the only path from these buffers to
/// the reduction; -1: none. Its value is what all of them contribute per element.
int mergePointOf(const Kernel &consumer, const std::set<int> &buffers) {
    std::vector<std::set<int>> below(consumer.steps.size()); // by step: buffers that it depends on
    std::vector<std::size_t> last(consumer.steps.size(), 0); // by step: its last use
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

/// A kernel's only input of a buffer, if it reads each element once. Empty: it reads more, or less.
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

/// Elementwise work on several matmuls before a reduction over rows or windows: moves it into a kernel of
/// ours that stores it in the first matmul's result, which is then the consumer's only input of these.
bool fuseMatmulsBeforeReduction(Program &program, std::size_t producer, std::size_t consumerPosition) {
    const Kernel &consumer = program.kernels[consumerPosition];
    const ElementType type = program.kernels[producer].inputs[0].type;
    // An intermediate value may overflow a 16-bit float with a 5-bit exponent.
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
    // One result is read instead of all; a library would overlap its writes with its arithmetic.
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
            return consumer.isLoops() && !consumer.hasReductions() && !consumer.isScattered();
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
