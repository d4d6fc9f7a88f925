// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/alias_slices.h"

#include "agent/playbook/ir/kernel_rewriter.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t vectorBytes = 32; ///< the widest, of four doubles

/// Layout of the slice: the temporary's blocks in order, but with a larger stride between them.
struct SlicePlacement {
    std::int64_t offset = 0;
    std::int64_t block = 0;       ///< elements; 0: the slice is contiguous, as the temporary
    std::int64_t count = 1;       ///< blocks
    std::int64_t blockStride = 0; ///< from one block of the slice to the next
};

const ProgramBuffer &bufferOf(const Program &program, int buffer) {
    return program.buffers[static_cast<std::size_t>(buffer)];
}

bool isOnlyMemory(const Program &program, int buffer) {
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        if (static_cast<int>(i) != buffer && program.memoryOf(static_cast<int>(i)) == buffer)
            return false;
    return std::count_if(program.kernels.begin(), program.kernels.end(), [buffer](const Kernel &kernel) {
               return std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                  [buffer](const KernelStore &store) { return store.buffer == buffer; });
           }) == 1;
}

/// No later kernel overwrites the buffer.
bool isWrittenOnce(const Program &program, int buffer) {
    return std::none_of(program.kernels.begin(), program.kernels.end(), [buffer](const Kernel &kernel) {
        return kernel.isScattered() &&
               std::any_of(kernel.stores.begin(), kernel.stores.end(),
                           [buffer](const KernelStore &store) { return store.buffer == buffer; });
    });
}

std::optional<SlicePlacement> slicePlacementOf(const Kernel &producer, const KernelStore &whole,
                                               const KernelStore &part, std::int64_t elements) {
    const bool isAligned = part.address.offset * bytesOf(part.type) % vectorBytes == 0;
    if (whole.step != part.step || whole.type != part.type || !whole.every.empty() || !part.every.empty() ||
        whole.address.offset != 0 || part.address.offset < 0 || !isAligned)
        return std::nullopt;
    SlicePlacement placement;
    placement.offset = part.address.offset;
    for (std::size_t k = 0; k < producer.loops.size(); ++k) {
        if (producer.loops[k] == 1 || whole.address.steps[k] == part.address.steps[k])
            continue;
        if (placement.block != 0)
            return std::nullopt;
        placement.block = whole.address.steps[k];
        placement.count = producer.loops[k];
        placement.blockStride = part.address.steps[k];
    }
    if (placement.block == 0)
        return placement;
    const bool isOfBlocks = placement.block > 0 && placement.blockStride > placement.block &&
                            placement.count * placement.block == elements;
    return isOfBlocks ? std::optional(placement) : std::nullopt;
}

/// Whether a step's value differs from block to block.
bool differs(const Kernel &kernel, int number, std::size_t loop) {
    const auto moves = [loop](const AffineExpr &index) {
        return loop < index.steps.size() && index.steps[loop] != 0;
    };
    const std::set<int> made = ancestorsOf(kernel, number);
    return std::any_of(made.begin(), made.end(), [&](int some) {
        const KernelStep &step = kernel.step(some);
        return isReduction(step.op) || isScan(step.op) || (step.op == Opcode::Index && moves(step.index)) ||
               (step.op == Opcode::Load &&
                moves(kernel.inputs[static_cast<std::size_t>(step.input)].address));
    });
}

/// The consumer's loop over the blocks. Whoever reads the same input under the same conditions in each of
/// them stays inside one: outside it the first or last block's address would be out of bounds.
std::optional<std::size_t> loopOverBlocks(const Kernel &consumer, std::size_t input,
                                          const SlicePlacement &placement) {
    const KernelInput &what = consumer.inputs[input];
    std::optional<std::size_t> found;
    for (std::size_t k = 0; k < what.address.steps.size(); ++k) {
        const std::int64_t step = what.address.steps[k];
        if (consumer.loops[k] == 1 || std::abs(step) < placement.block)
            continue;
        if (found || step != placement.block || consumer.loops[k] != placement.count)
            return std::nullopt;
        found = k;
    }
    if (!found || !what.isPlain())
        return std::nullopt;
    for (const KernelStep &step : consumer.steps)
        if (step.op == Opcode::Load && step.input == static_cast<int>(input) && step.isGuarded &&
            differs(consumer, step.operands.back(), *found))
            return std::nullopt;
    return found;
}

/// Lets the temporary's consumers read the slice; changes nothing if one of them cannot.
bool aliasInConsumers(Program &program, std::size_t producer, int whole, const KernelStore &part,
                      const SlicePlacement &placement) {
    const int window = static_cast<int>(program.buffers.size());
    std::vector<Kernel> kernels = program.kernels;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        for (std::size_t input = 0; input < kernels[i].inputs.size(); ++input) {
            if (kernels[i].inputs[input].buffer != whole)
                continue;
            const std::optional<std::size_t> loop =
                placement.block == 0 ? std::nullopt : loopOverBlocks(kernels[i], input, placement);
            if (i <= producer || !kernels[i].isLoops() || kernels[i].isScattered() ||
                (placement.block != 0 && !loop))
                return false;
            kernels[i].inputs[input].buffer = window;
            if (loop)
                kernels[i].inputs[input].address.steps[*loop] = placement.blockStride;
        }
    if (kernels == program.kernels)
        return false; // nobody reads it
    std::vector<KernelStore> &stores = kernels[producer].stores;
    stores.erase(std::remove_if(stores.begin(), stores.end(),
                                [whole](const KernelStore &store) { return store.buffer == whole; }),
                 stores.end());
    ProgramBuffer there = bufferOf(program, whole);
    there.kind = ProgramBuffer::Kind::Window;
    there.window = {part.buffer, placement.offset, 0, 0, 0};
    program.buffers.push_back(there);
    program.kernels = std::move(kernels);
    return true;
}

bool aliasSlice(Program &program, std::size_t producer) {
    const Kernel &kernel = program.kernels[producer];
    if (!kernel.isLoops() || kernel.isScattered())
        return false;
    for (const KernelStore &whole : kernel.stores) {
        const ProgramBuffer &temporary = bufferOf(program, whole.buffer);
        if (temporary.kind != ProgramBuffer::Kind::Temporary || !temporary.layout.isDense() ||
            !isOnlyMemory(program, whole.buffer))
            continue;
        for (const KernelStore &part : kernel.stores) {
            const ProgramBuffer::Kind kind = bufferOf(program, part.buffer).kind;
            if (part.buffer == whole.buffer || !isWrittenOnce(program, part.buffer) ||
                (kind != ProgramBuffer::Kind::Output && kind != ProgramBuffer::Kind::Temporary))
                continue;
            const std::optional<SlicePlacement> placement =
                slicePlacementOf(kernel, whole, part, elementCount(temporary.layout.memory));
            if (placement && aliasInConsumers(program, producer, whole.buffer, KernelStore(part), *placement))
                return true;
        }
    }
    return false;
}

} // namespace

void aliasSlices(Program &program) {
    if (!program.timeLoops.empty())
        return;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        while (aliasSlice(program, i)) {
        }
}

} // namespace warpwright
