// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_scatter.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Rows that a kernel of ours makes element by element, in the order in which they are scattered.
bool makesRows(const FusedKernel &kernel, const ScatterSizes &scatter) {
    return kernel.anchor == Anchor::None && kernel.scatter.isEmpty() && !kernel.hasReductions() &&
           !kernel.hasScans() && kernel.loops == Shape{scatter.count, scatter.columns} &&
           kernel.stores.size() == 1 && kernel.stores[0].address == AffineIndex{0, {scatter.columns, 1}};
}

bool touches(const FusedKernel &kernel, int buffer) {
    const auto isIt = [buffer](const auto &what) {
        return what.buffer == buffer;
    };
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(), isIt) ||
           std::any_of(kernel.stores.begin(), kernel.stores.end(), isIt);
}

// What is there before, where one kernel makes it for this alone: it writes it where the result is going to
// be.
void beginInResult(KernelPlan &plan, std::size_t place) {
    FusedKernel &kernel = plan.kernels[place];
    if (kernel.scatter.isEmpty() || kernel.scatter.base < 0 || !plan.repeats.empty() ||
        kernel.scatter.base != static_cast<int>(kernel.leaves.size()) - 1)
        return;
    const int base = kernel.leaves.back().buffer;
    const int result = kernel.stores[0].buffer;
    const PlanBuffer &made = plan.buffers[static_cast<std::size_t>(base)];
    std::vector<FusedKernel *> makers;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        if (i == place)
            continue;
        if (i < place ? touches(plan.kernels[i], result) : touches(plan.kernels[i], base))
            return;
        if (touches(plan.kernels[i], base))
            makers.push_back(&plan.kernels[i]);
    }
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (const int memory = plan.memoryOf(static_cast<int>(i));
            memory != static_cast<int>(i) && (memory == base || memory == result))
            return;
    const bool isOnlyBase =
        std::count_if(kernel.leaves.begin(), kernel.leaves.end(),
                      [base](const KernelLeaf &leaf) { return leaf.buffer == base; }) == 1;
    if (made.kind != PlanBuffer::Kind::Temporary || makers.size() != 1 || !isOnlyBase ||
        made.layout != plan.buffers[static_cast<std::size_t>(result)].layout || !made.layout.isDense() ||
        makers[0]->anchor != Anchor::None || !makers[0]->scatter.isEmpty())
        return;
    for (KernelStore &some : makers[0]->stores) // a join has several parts
        some.buffer = some.buffer == base ? result : some.buffer;
    kernel.leaves.pop_back();
    kernel.scatter.base = -1;
    kernel.scatter.isBegun = true;
}

} // namespace

void foldScatters(KernelPlan &plan) {
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const FusedKernel scatter = plan.kernels[i];
        if (scatter.anchor != Anchor::ScatteredRows)
            continue;
        const int rows = scatter.leaves[0].buffer;
        // What is there before, or the places, must not be what would never reach the memory.
        const auto readers =
            std::count_if(scatter.leaves.begin(), scatter.leaves.end(), [&](const KernelLeaf &leaf) {
                return plan.memoryOf(leaf.buffer) == plan.memoryOf(rows);
            });
        if (readers != 1)
            continue;
        for (std::size_t maker = 0; maker < i; ++maker) {
            const FusedKernel &made = plan.kernels[maker];
            if (made.stores[0].buffer != rows || onlyReader(plan, maker) != i ||
                !makesRows(made, scatter.scatter))
                continue;
            FusedKernel all = made;
            all.scatter = scatter.scatter;
            const auto add = [&all](KernelLeaf leaf, std::vector<std::int64_t> steps) {
                leaf.address = {leaf.address.offset, std::move(steps)};
                all.leaves.push_back(std::move(leaf));
                return static_cast<int>(all.leaves.size()) - 1;
            };
            all.scatter.places =
                add(scatter.leaves[static_cast<std::size_t>(scatter.scatter.places)], {1, 0});
            if (scatter.scatter.base >= 0)
                all.scatter.base =
                    add(scatter.leaves[static_cast<std::size_t>(scatter.scatter.base)], {0, 0});
            all.stores[0].buffer = scatter.stores[0].buffer;
            plan.kernels[i] = std::move(all);
            plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(maker));
            --i;
            break;
        }
    }
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        beginInResult(plan, i);
}

} // namespace warpwright
