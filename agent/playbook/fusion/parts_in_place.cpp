// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/parts_in_place.h"

#include "agent/playbook/ir/kernel_parts.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t packBytes = 32; ///< the widest, of four doubles

/// Where the part lies: blocks of the temporary in order, further apart than there.
struct PartPlace {
    std::int64_t offset = 0;
    std::int64_t block = 0; ///< elements; 0: the part lies as the temporary does
    std::int64_t count = 1; ///< blocks
    std::int64_t apart = 0; ///< from one block of the part to the next
};

const PlanBuffer &bufferOf(const KernelPlan &plan, int buffer) {
    return plan.buffers[static_cast<std::size_t>(buffer)];
}

bool isOnlyMemory(const KernelPlan &plan, int buffer) {
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (static_cast<int>(i) != buffer && plan.memoryOf(static_cast<int>(i)) == buffer)
            return false;
    return std::count_if(plan.kernels.begin(), plan.kernels.end(), [buffer](const FusedKernel &kernel) {
               return std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                  [buffer](const KernelStore &store) { return store.buffer == buffer; });
           }) == 1;
}

/// Nobody changes there what has been written.
bool isWrittenOnce(const KernelPlan &plan, int buffer) {
    return std::none_of(plan.kernels.begin(), plan.kernels.end(), [buffer](const FusedKernel &kernel) {
        return !kernel.scatter.isEmpty() &&
               std::any_of(kernel.stores.begin(), kernel.stores.end(),
                           [buffer](const KernelStore &store) { return store.buffer == buffer; });
    });
}

std::optional<PartPlace> placeOf(const FusedKernel &maker, const KernelStore &whole, const KernelStore &part,
                                 std::int64_t elements) {
    const bool isAligned = part.address.offset * bytesOf(part.type) % packBytes == 0;
    if (whole.step != part.step || whole.type != part.type || !whole.every.empty() || !part.every.empty() ||
        whole.address.offset != 0 || part.address.offset < 0 || !isAligned)
        return std::nullopt;
    PartPlace place;
    place.offset = part.address.offset;
    for (std::size_t k = 0; k < maker.loops.size(); ++k) {
        if (maker.loops[k] == 1 || whole.address.steps[k] == part.address.steps[k])
            continue;
        if (place.block != 0)
            return std::nullopt;
        place.block = whole.address.steps[k];
        place.count = maker.loops[k];
        place.apart = part.address.steps[k];
    }
    if (place.block == 0)
        return place;
    const bool isOfBlocks =
        place.block > 0 && place.apart > place.block && place.count * place.block == elements;
    return isOfBlocks ? std::optional(place) : std::nullopt;
}

/// Whether a step's value differs from block to block.
bool differs(const FusedKernel &kernel, int number, std::size_t loop) {
    const auto moves = [loop](const AffineIndex &index) {
        return loop < index.steps.size() && index.steps[loop] != 0;
    };
    const std::set<int> made = ancestorsOf(kernel, number);
    return std::any_of(made.begin(), made.end(), [&](int some) {
        const KernelStep &step = kernel.step(some);
        return isReduction(step.op) || isScan(step.op) || (step.op == KernelOp::Index && moves(step.index)) ||
               (step.op == KernelOp::Load &&
                moves(kernel.leaves[static_cast<std::size_t>(step.leaf)].address));
    });
}

/// The reader's loop over the blocks. Who reads the same of each of them, under conditions that are the same,
/// stays within one: beyond it the first block's or the last one's would not be in memory.
std::optional<std::size_t> loopOverBlocks(const FusedKernel &reader, std::size_t leaf,
                                          const PartPlace &place) {
    const KernelLeaf &what = reader.leaves[leaf];
    std::optional<std::size_t> found;
    for (std::size_t k = 0; k < what.address.steps.size(); ++k) {
        const std::int64_t step = what.address.steps[k];
        if (reader.loops[k] == 1 || std::abs(step) < place.block)
            continue;
        if (found || step != place.block || reader.loops[k] != place.count)
            return std::nullopt;
        found = k;
    }
    if (!found || !what.isPlain())
        return std::nullopt;
    for (const KernelStep &step : reader.steps)
        if (step.op == KernelOp::Load && step.leaf == static_cast<int>(leaf) && step.isGuarded &&
            differs(reader, step.operands.back(), *found))
            return std::nullopt;
    return found;
}

/// The plan's readers of the temporary read the part; nothing is changed where one of them cannot.
bool readThere(KernelPlan &plan, std::size_t maker, int whole, const KernelStore &part,
               const PartPlace &place) {
    const int window = static_cast<int>(plan.buffers.size());
    std::vector<FusedKernel> kernels = plan.kernels;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        for (std::size_t leaf = 0; leaf < kernels[i].leaves.size(); ++leaf) {
            if (kernels[i].leaves[leaf].buffer != whole)
                continue;
            const std::optional<std::size_t> loop =
                place.block == 0 ? std::nullopt : loopOverBlocks(kernels[i], leaf, place);
            if (i <= maker || kernels[i].anchor != Anchor::None || !kernels[i].scatter.isEmpty() ||
                (place.block != 0 && !loop))
                return false;
            kernels[i].leaves[leaf].buffer = window;
            if (loop)
                kernels[i].leaves[leaf].address.steps[*loop] = place.apart;
        }
    if (kernels == plan.kernels)
        return false; // nobody reads it
    std::vector<KernelStore> &stores = kernels[maker].stores;
    stores.erase(std::remove_if(stores.begin(), stores.end(),
                                [whole](const KernelStore &store) { return store.buffer == whole; }),
                 stores.end());
    PlanBuffer there = bufferOf(plan, whole);
    there.kind = PlanBuffer::Kind::Window;
    there.window = {part.buffer, place.offset, 0, 0, 0};
    plan.buffers.push_back(there);
    plan.kernels = std::move(kernels);
    return true;
}

bool readPart(KernelPlan &plan, std::size_t maker) {
    const FusedKernel &kernel = plan.kernels[maker];
    if (kernel.anchor != Anchor::None || !kernel.scatter.isEmpty())
        return false;
    for (const KernelStore &whole : kernel.stores) {
        const PlanBuffer &temporary = bufferOf(plan, whole.buffer);
        if (temporary.kind != PlanBuffer::Kind::Temporary || !temporary.layout.isDense() ||
            !isOnlyMemory(plan, whole.buffer))
            continue;
        for (const KernelStore &part : kernel.stores) {
            const PlanBuffer::Kind kind = bufferOf(plan, part.buffer).kind;
            if (part.buffer == whole.buffer || !isWrittenOnce(plan, part.buffer) ||
                (kind != PlanBuffer::Kind::Output && kind != PlanBuffer::Kind::Temporary))
                continue;
            const std::optional<PartPlace> place =
                placeOf(kernel, whole, part, elementCount(temporary.layout.memory));
            if (place && readThere(plan, maker, whole.buffer, KernelStore(part), *place))
                return true;
        }
    }
    return false;
}

} // namespace

void readPartsInPlace(KernelPlan &plan) {
    if (!plan.repeats.empty())
        return;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        while (readPart(plan, i)) {
        }
}

} // namespace warpwright
