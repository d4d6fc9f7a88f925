// SPDX-License-Identifier: GPL-3.0-or-later
// Members of Kernel: dead code elimination, loop order, loop merging, passes.
#include "agent/playbook/ir/kernel.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpwright {

void Kernel::finish() {
    eliminateDeadCode();
    orderLoops();
    mergeLoops();
    numberPasses();
}

void Kernel::eliminateDeadCode() {
    std::vector<bool> isNeeded(steps.size(), false);
    for (const KernelStore &store : stores)
        isNeeded[static_cast<std::size_t>(store.step)] = true;
    for (std::size_t i = steps.size(); i-- > 0;)
        if (isNeeded[i])
            for (const int operand : steps[i].operands)
                isNeeded[static_cast<std::size_t>(operand)] = true;
    std::vector<int> position(steps.size(), -1);
    std::vector<KernelStep> kept;
    std::vector<KernelInput> read;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!isNeeded[i])
            continue;
        KernelStep some = steps[i];
        for (int &operand : some.operands)
            operand = position[static_cast<std::size_t>(operand)];
        if (some.input >= 0) {
            read.push_back(inputs[static_cast<std::size_t>(some.input)]);
            some.input = static_cast<int>(read.size()) - 1;
        }
        position[i] = static_cast<int>(kept.size());
        kept.push_back(std::move(some));
    }
    for (KernelStore &store : stores)
        store.step = position[static_cast<std::size_t>(store.step)];
    steps = std::move(kept);
    inputs = std::move(read);
}

std::vector<AffineExpr *> Kernel::allIndices() {
    std::vector<AffineExpr *> all;
    for (KernelInput &input : inputs)
        all.push_back(&input.address);
    for (KernelStore &store : stores)
        all.push_back(&store.address);
    for (KernelStep &some : steps)
        if (some.op == Opcode::Index)
            all.push_back(&some.index);
    return all;
}

// Orders loops by the strides of the store, or else of the largest input. A scan's order has to stay.
void Kernel::orderLoops() {
    if (hasScans() || stores.empty())
        return;
    const AffineExpr *inner = &stores[0].address;
    if (hasReductions() && levelOf(*inner) < StepLevel::Column) {
        double most = 0;
        for (const KernelInput &input : inputs)
            if (input.isPlain() && levelOf(input.address) == StepLevel::Element &&
                footprint(input.address, input.type, &input) > most) {
                most = footprint(input.address, input.type, &input);
                inner = &input.address;
            }
    }
    std::vector<std::size_t> order(loops.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto sort = [&](std::size_t begin, std::size_t end, const AffineExpr &by) {
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
    for (AffineExpr *index : allIndices())
        index->steps = ordered(index->steps);
}

void Kernel::mergeLoops() {
    const std::vector<AffineExpr *> all = allIndices();
    const auto drop = [&](std::size_t loop) {
        for (AffineExpr *index : all)
            index->steps.erase(index->steps.begin() + static_cast<std::ptrdiff_t>(loop));
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(loop));
        outer -= loop < outer ? 1 : 0;
    };
    for (std::size_t k = loops.size(); k-- > 0;)
        if (loops[k] == 1)
            drop(k);
    // Without reductions all loops but the last are outer. A loop that was needed only for a reduction in
    // another kernel is dropped.
    if (!hasReductions()) {
        for (std::size_t k = loops.size(); k-- > 0;)
            if (std::all_of(all.begin(), all.end(),
                            [k](const AffineExpr *index) { return index->steps[k] == 0; }))
                drop(k);
        outer = 0;
    }
    for (std::size_t k = loops.size(); k-- > 1;) {
        if (k == outer)
            continue;
        const bool isOne = std::all_of(all.begin(), all.end(), [&](const AffineExpr *index) {
            return index->steps[k - 1] == index->steps[k] * loops[k];
        });
        if (!isOne)
            continue;
        loops[k] *= loops[k - 1];
        drop(k - 1);
    }
    if (!hasReductions() && loops.size() > 1)
        outer = loops.size() - 1;
    // Levels follow the loops: a row's value may be a column's now.
    std::vector<KernelStep> again;
    again.swap(steps);
    std::vector<int> position; // old to new: two steps may be equal now
    for (KernelStep &some : again) {
        for (int &operand : some.operands)
            operand = position[static_cast<std::size_t>(operand)];
        some.level = some.op == Opcode::Load ? levelOf(inputs[static_cast<std::size_t>(some.input)].address)
                     : some.op == Opcode::Index ? levelOf(some.index)
                                                : StepLevel::Constant;
        position.push_back(append(std::move(some)));
    }
    for (KernelStore &store : stores)
        store.step = position[static_cast<std::size_t>(store.step)];
}

void Kernel::numberPasses() {
    for (KernelStep &some : steps) {
        some.pass = 0;
        for (const int operand : some.operands)
            some.pass = std::max(some.pass, step(operand).pass);
        some.pass += passesOf(some.op);
    }
}

} // namespace warpwright
