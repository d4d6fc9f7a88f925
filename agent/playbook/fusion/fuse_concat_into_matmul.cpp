// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_concat_into_matmul.h"

#include "agent/playbook/fusion/fuse_concat.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

constexpr std::size_t mostParts = 4;

/// A part of a concatenated matrix, and where it lies by itself.
struct Part {
    KernelInput from;       ///< indexed by rows and the reduction dimension
    std::int64_t begin = 0; ///< of the reduction dimension
    std::int64_t length = 0;
};

/// The part that a kernel copies unchanged into a matrix of this row pitch; empty: it does more.
std::optional<Part> copiedBy(const Kernel &copy, std::int64_t rows, std::int64_t pitch) {
    if (copy.loops.size() != 2 || copy.steps.size() != 1 || copy.inputs.size() != 1 ||
        copy.loops[0] != rows || copy.stores.size() != 1)
        return std::nullopt;
    const KernelInput &input = copy.inputs[0];
    const KernelStore &store = copy.stores[0];
    const bool isPlain = input.isPlain() && !copy.steps[0].isGuarded && input.type == store.type &&
                         store.address.steps == std::vector<std::int64_t>{pitch, 1};
    return isPlain ? std::optional(Part{input, store.address.offset, copy.loops[1]}) : std::nullopt;
}

/// The parts in order of position; none: it is no such concatenation.
std::vector<Part> partsOf(const Kernel &concat, const Kernel &matmul) {
    const std::int64_t pitch = matmul.inputs[0].address.steps[0];
    std::vector<Part> parts;
    for (const Kernel &copy : concatParts(concat, mostParts)) {
        const std::optional<Part> part = copiedBy(copy, matmul.loops[0], pitch);
        if (!part)
            return {};
        parts.push_back(*part);
    }
    std::int64_t end = 0;
    for (const Part &part : parts) {
        if (part.begin != end)
            return {};
        end += part.length;
    }
    return end == matmul.loops[2] ? parts : std::vector<Part>();
}

/// The matmul's sum over one part.
Kernel partOf(const Kernel &matmul, const KernelInput &second, const Part &part) {
    Kernel one;
    one.device = matmul.device;
    one.structuredOp = Matmul{};
    one.loops = {matmul.loops[0], matmul.loops[1], part.length};
    one.outer = 2;
    KernelInput first = part.from;
    first.address.steps = {part.from.address.steps[0], 0, part.from.address.steps[1]};
    first.elements = 0;
    KernelInput slice = second;
    slice.address.offset += part.begin * second.address.steps[2];
    slice.elements = part.length * matmul.loops[1];
    const ElementType type = computeType(first.type);
    const int elements = one.add(Opcode::Multiply, type, {one.load(first), one.load(slice)});
    one.stores.push_back({one.add(Opcode::RowSum, type, {elements}), -1, first.type, {}});
    return one;
}

/// The matmul as a sum over its parts; empty: it reads other matrices.
std::optional<Kernel> withParts(const Kernel &matmul, const std::vector<Part> &parts) {
    const std::int64_t longest =
        std::max_element(parts.begin(), parts.end(), [](const Part &one, const Part &other) {
            return one.length < other.length;
        })->length;
    Kernel all;
    all.device = matmul.device;
    all.structuredOp = Matmul{};
    all.loops = {matmul.loops[0], matmul.loops[1], longest};
    all.outer = 2;
    std::vector<int> position(matmul.steps.size(), -1);
    for (const int sum : sumsOf(matmul)) {
        const std::vector<MatmulTerm> terms = termsOf(matmul, sum);
        if (terms.size() != 1 || terms[0].first != 0 || terms[0].factor != 1)
            return std::nullopt;
        int total = -1;
        for (const Part &part : parts) {
            const Kernel one = withPaddedInner(partOf(matmul, matmul.inputs[terms[0].second], part), longest);
            const int more = addSteps(all, one)[static_cast<std::size_t>(one.resultStep())];
            KernelStep both;
            both.op = Opcode::Add;
            both.type = matmul.step(sum).type;
            both.operands = {total, more};
            total = total < 0 ? more : all.append(std::move(both));
        }
        position[static_cast<std::size_t>(sum)] = total;
    }
    for (std::size_t i = 0; i < matmul.steps.size(); ++i) {
        KernelStep step = matmul.steps[i];
        const bool isOfMatrix = step.input >= 0 && step.input < static_cast<int>(firstEpilogueInput(matmul));
        if (position[i] >= 0 || isOfMatrix)
            continue;
        bool isOfSums = true; // and not of an operand
        for (int &operand : step.operands) {
            operand = position[static_cast<std::size_t>(operand)];
            isOfSums = isOfSums && operand >= 0;
        }
        if (!isOfSums)
            continue;
        position[i] = step.op == Opcode::Load ? all.load(matmul.inputs[static_cast<std::size_t>(step.input)])
                                              : all.append(std::move(step));
    }
    for (KernelStore store : matmul.stores) {
        store.step = position[static_cast<std::size_t>(store.step)];
        all.stores.push_back(store);
    }
    return mergedSums(all);
}

/// Whether the concatenation at `position` is gone, since its only consumer, a matmul, reads the parts.
bool fuseConcatIntoMatmul(Program &program, std::size_t position) {
    const Kernel &concat = program.kernels[position];
    if (!concat.isLoops() || concat.hasReductions() || concat.stores.size() != 1)
        return false;
    const std::optional<std::size_t> consumer = onlyConsumer(program, position);
    if (!consumer)
        return false;
    Kernel &matmul = program.kernels[*consumer];
    const int buffer = concat.stores[0].buffer;
    if (!matmul.isMatmul() || matmul.loops.size() != 3 || isCellMatmul(matmul) || hasTerms(matmul) ||
        matmul.inputs[0].buffer != buffer || matmul.inputs[0].address.offset != 0 ||
        std::count_if(matmul.inputs.begin(), matmul.inputs.end(),
                      [buffer](const KernelInput &input) { return input.buffer == buffer; }) != 1)
        return false;
    const std::vector<Part> parts = partsOf(concat, matmul);
    if (parts.size() < 2)
        return false;
    std::optional<Kernel> all = withParts(matmul, parts);
    if (!all || !hasTerms(*all) || !canBeSm90Matmul(*all))
        return false;
    // None of the inputs may be overwritten in between.
    for (std::size_t i = position + 1; i < *consumer; ++i)
        for (const KernelStore &store : program.kernels[i].stores)
            if (reads(concat, store.buffer))
                return false;
    matmul = std::move(*all);
    program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(position));
    return true;
}

} // namespace

void fuseConcatsIntoMatmuls(Program &program) {
    for (std::size_t i = 0;
         program.choices.hasSm90Matmuls && program.timeLoops.empty() && i < program.kernels.size();)
        if (!fuseConcatIntoMatmul(program, i))
            ++i;
}

} // namespace warpwright
