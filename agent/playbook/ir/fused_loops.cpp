// SPDX-License-Identifier: GPL-3.0-or-later
// FusedKernel's last look at its loops: which are needed, in which order, and which of them are one.
#include "agent/playbook/ir/fused_kernel.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpwright {

void FusedKernel::finish() {
    dropUnused();
    orderLoops();
    mergeLoops();
    numberPasses();
}

void FusedKernel::dropUnused() {
    std::vector<bool> isNeeded(steps.size(), false);
    for (const KernelStore &store : stores)
        isNeeded[static_cast<std::size_t>(store.step)] = true;
    for (std::size_t i = steps.size(); i-- > 0;)
        if (isNeeded[i])
            for (const int operand : steps[i].operands)
                isNeeded[static_cast<std::size_t>(operand)] = true;
    std::vector<int> place(steps.size(), -1);
    std::vector<KernelStep> kept;
    std::vector<KernelLeaf> read;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!isNeeded[i])
            continue;
        KernelStep some = steps[i];
        for (int &operand : some.operands)
            operand = place[static_cast<std::size_t>(operand)];
        if (some.leaf >= 0) {
            read.push_back(leaves[static_cast<std::size_t>(some.leaf)]);
            some.leaf = static_cast<int>(read.size()) - 1;
        }
        place[i] = static_cast<int>(kept.size());
        kept.push_back(std::move(some));
    }
    for (KernelStore &store : stores)
        store.step = place[static_cast<std::size_t>(store.step)];
    steps = std::move(kept);
    leaves = std::move(read);
}

std::vector<AffineIndex *> FusedKernel::allIndices() {
    std::vector<AffineIndex *> all;
    for (KernelLeaf &leaf : leaves)
        all.push_back(&leaf.address);
    for (KernelStore &store : stores)
        all.push_back(&store.address);
    for (KernelStep &some : steps)
        if (some.op == KernelOp::Index)
            all.push_back(&some.index);
    return all;
}

// Neighbours in the loops are neighbours in what is written, else in what most is read of. A scan's order is
// its meaning.
void FusedKernel::orderLoops() {
    if (hasScans() || stores.empty())
        return;
    const AffineIndex *inner = &stores[0].address;
    if (hasReductions() && levelOf(*inner) < StepLevel::Column) {
        double most = 0;
        for (const KernelLeaf &leaf : leaves)
            if (leaf.isPlain() && levelOf(leaf.address) == StepLevel::Element &&
                touched(leaf.address, leaf.type, &leaf) > most) {
                most = touched(leaf.address, leaf.type, &leaf);
                inner = &leaf.address;
            }
    }
    std::vector<std::size_t> order(loops.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto sort = [&](std::size_t begin, std::size_t end, const AffineIndex &by) {
        std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                         order.begin() + static_cast<std::ptrdiff_t>(end),
                         [&by](std::size_t a, std::size_t b) {
                             const auto step = [&by](std::size_t k) {
                                 return by.steps[k] == 0 ? std::numeric_limits<std::int64_t>::max()
                                                         : std::abs(by.steps[k]);
                             };
                             return step(a) > step(b);
                         });
    };
    if (hasReductions()) {
        sort(0, outer, stores[0].address);
        sort(outer, loops.size(), *inner);
    } else {
        sort(0, loops.size(), *inner);
    }
    const auto ordered = [&order](const std::vector<std::int64_t> &values) {
        std::vector<std::int64_t> result;
        for (const std::size_t k : order)
            result.push_back(values[k]);
        return result;
    };
    loops = ordered(loops);
    for (AffineIndex *index : allIndices())
        index->steps = ordered(index->steps);
}

void FusedKernel::mergeLoops() {
    const std::vector<AffineIndex *> all = allIndices();
    const auto drop = [&](std::size_t loop) {
        for (AffineIndex *index : all)
            index->steps.erase(index->steps.begin() + static_cast<std::ptrdiff_t>(loop));
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(loop));
        outer -= loop < outer ? 1 : 0;
    };
    for (std::size_t k = loops.size(); k-- > 0;)
        if (loops[k] == 1)
            drop(k);
    // Without sums nothing says where a row begins: all loops but the last are the rows. And a loop that was
    // made for a sum which another kernel forms now has nothing to do.
    if (!hasReductions()) {
        for (std::size_t k = loops.size(); k-- > 0;)
            if (std::all_of(all.begin(), all.end(),
                            [k](const AffineIndex *index) { return index->steps[k] == 0; }))
                drop(k);
        outer = 0;
    }
    for (std::size_t k = loops.size(); k-- > 1;) {
        if (k == outer)
            continue;
        const bool isOne = std::all_of(all.begin(), all.end(), [&](const AffineIndex *index) {
            return index->steps[k - 1] == index->steps[k] * loops[k];
        });
        if (!isOne)
            continue;
        loops[k] *= loops[k - 1];
        drop(k - 1);
    }
    if (!hasReductions() && loops.size() > 1)
        outer = loops.size() - 1;
    // What was a row's may be a column's now: levels follow the loops.
    std::vector<KernelStep> again;
    again.swap(steps);
    std::vector<int> place; // two of them may be one now
    for (KernelStep &some : again) {
        for (int &operand : some.operands)
            operand = place[static_cast<std::size_t>(operand)];
        some.level = some.op == KernelOp::Load ? levelOf(leaves[static_cast<std::size_t>(some.leaf)].address)
                     : some.op == KernelOp::Index ? levelOf(some.index)
                                                  : StepLevel::Constant;
        place.push_back(append(std::move(some)));
    }
    for (KernelStore &store : stores)
        store.step = place[static_cast<std::size_t>(store.step)];
}

void FusedKernel::numberPasses() {
    for (KernelStep &some : steps) {
        some.pass = 0;
        for (const int operand : some.operands)
            some.pass = std::max(some.pass, step(operand).pass);
        some.pass += loopsOver(some.op);
    }
}

} // namespace warpwright
