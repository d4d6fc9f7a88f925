// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/copy_dropping.h"

#include "agent/playbook/analysis/product_plan.h"

namespace warpwright {
namespace {

bool isOfWholeMemory(const PlanBuffer &buffer, std::int64_t elements) {
    return buffer.layout.offset == 0 && elementCount(buffer.layout.memory) == elements &&
           buffer.layout.isDense();
}

} // namespace

bool dropCopy(KernelPlan &plan, std::size_t place) {
    const FusedKernel &copy = plan.kernels[place];
    if (copy.anchor != Anchor::None || !copy.scatter.isEmpty() || copy.leaves.size() != 1 ||
        copy.stores.size() != 1 || copy.loops.size() != 1 || !isPlainLoad(copy, copy.stores[0].step))
        return false;
    const KernelLeaf from = copy.leaves[0];
    const KernelStore to = copy.stores[0];
    const AffineIndex inOrder{0, {1}};
    const PlanBuffer &made = plan.buffers[static_cast<std::size_t>(from.buffer)];
    const bool isWhole = isOfWholeMemory(made, copy.loops[0]) &&
                         isOfWholeMemory(plan.buffers[static_cast<std::size_t>(to.buffer)], copy.loops[0]);
    if (made.kind != PlanBuffer::Kind::Temporary || from.type != to.type || from.address != inOrder ||
        to.address != inOrder || !isWhole)
        return false;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (const int memory = plan.memoryOf(static_cast<int>(i));
            memory != static_cast<int>(i) && (memory == from.buffer || memory == to.buffer))
            return false;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        for (const KernelLeaf &leaf : plan.kernels[i].leaves)
            if (i != place && leaf.buffer == from.buffer)
                return false;
    for (FusedKernel &kernel : plan.kernels)
        for (KernelStore &store : kernel.stores)
            if (store.buffer == from.buffer)
                store.buffer = to.buffer;
    plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(place));
    return true;
}

} // namespace warpwright
