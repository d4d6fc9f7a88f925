// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/shared_parts.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/fusion/kernel_merging.h"
#include "agent/playbook/fusion/sum_splitting.h"
#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double leastBytes =
    16e6; ///< of what is read once less: twice what is moved in the time of a launch

/// Whether it reads its rows from memory in two loops or more.
bool isReadAgain(const FusedKernel &kernel) {
    return isOfLoops(kernel) && kernel.hasReductions() && !kernel.hasScans() && !kernel.hasRanks() &&
           kernel.passCount() > 1 && familyOf(kernel) == KernelFamily::Rows && !runsAlong(kernel) &&
           !canBeOnePass(kernel, false) && !(canBeClustered(kernel) && canBeOnePass(kernel, true));
}

bool formsParts(const FusedKernel &kernel) {
    return isOfLoops(kernel) && kernel.hasReductions() && !kernel.hasScans() && !kernel.hasRanks() &&
           kernel.passCount() == 1 && familyOf(kernel) == KernelFamily::Rows;
}

/// The rounds of the first loop over a long row that are a row of `columns` elements, with the loops inside
/// it; 0: there are none.
std::int64_t roundsOf(const FusedKernel &kernel, std::int64_t columns) {
    const std::int64_t inside = kernel.columns() / kernel.loops[kernel.outer];
    const std::int64_t rounds = columns / inside;
    return rounds > 0 && rounds * inside == columns && rounds < kernel.loops[kernel.outer] &&
                   kernel.loops[kernel.outer] % rounds == 0
               ? rounds
               : 0;
}

/// Sums of parts, each of so many rounds of the first loop over a row; leaves them where `memory` says, by
/// store.
FusedKernel ofParts(const FusedKernel &kernel, std::int64_t rounds, const std::vector<int> &memory) {
    const auto cut = static_cast<std::ptrdiff_t>(kernel.outer);
    const auto inParts = [&](AffineIndex index) {
        index.steps.insert(index.steps.begin() + cut, index.steps[kernel.outer] * rounds);
        return index;
    };
    FusedKernel parts;
    parts.device = kernel.device;
    parts.loops = kernel.loops;
    parts.loops[kernel.outer] = rounds;
    parts.loops.insert(parts.loops.begin() + cut, kernel.loops[kernel.outer] / rounds);
    parts.outer = kernel.outer + 1;
    parts.leaves = kernel.leaves;
    for (KernelLeaf &leaf : parts.leaves)
        leaf.address = inParts(leaf.address);
    std::vector<int> places;
    for (KernelStep step : kernel.steps) {
        for (int &operand : step.operands)
            operand = places[static_cast<std::size_t>(operand)];
        step.level = StepLevel::Constant; // levels were those of other loops
        if (step.op == KernelOp::Index)
            step.index = inParts(step.index);
        if (step.op == KernelOp::Load)
            step.level = parts.levelOf(parts.leaves[static_cast<std::size_t>(step.leaf)].address);
        else if (step.op == KernelOp::Index)
            step.level = parts.levelOf(step.index);
        places.push_back(parts.append(std::move(step)));
    }
    const Shape shape(parts.loops.begin(), parts.loops.begin() + cut + 1);
    AffineIndex place{0, contiguousStrides(shape)};
    place.steps.resize(parts.loops.size(), 0);
    for (std::size_t i = 0; i < kernel.stores.size(); ++i)
        parts.stores.push_back({places[static_cast<std::size_t>(kernel.stores[i].step)], memory[i],
                                kernel.stores[i].type, place});
    parts.finish();
    return parts;
}

/// The sums of these.
FusedKernel ofWhole(const FusedKernel &kernel, std::int64_t count, const std::vector<int> &memory) {
    FusedKernel whole;
    whole.device = kernel.device;
    whole.loops.assign(kernel.loops.begin(),
                       kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer));
    whole.loops.push_back(count);
    whole.outer = kernel.outer;
    for (std::size_t i = 0; i < kernel.stores.size(); ++i) {
        KernelStore store = kernel.stores[i];
        KernelStep sum = kernel.step(store.step);
        KernelLeaf leaf;
        leaf.buffer = memory[i];
        leaf.type = store.type;
        leaf.address = {0, contiguousStrides(whole.loops)};
        sum.operands = {whole.load(leaf)};
        store.step = whole.append(std::move(sum));
        store.address.steps.resize(whole.outer);
        store.address.steps.push_back(0);
        whole.stores.push_back(std::move(store));
    }
    whole.finish();
    return whole;
}

double bytesRead(const FusedKernel &kernel, int buffer) {
    double most = 0;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (leaf.buffer == buffer && leaf.isPlain() && kernel.levelOf(leaf.address) == StepLevel::Element) {
            double bytes = bytesOf(leaf.type);
            for (std::size_t k = 0; k < kernel.loops.size(); ++k)
                bytes *= leaf.address.steps[k] != 0 ? static_cast<double>(kernel.loops[k]) : 1;
            most = std::max(most, bytes);
        }
    return most;
}

class Sharing {
public:
    Sharing(const KernelPlan &plan, std::size_t maker, std::size_t reader)
        : m_plan(plan), m_maker(maker), m_reader(reader) {}

    /// The plan with it; empty: they have nothing in common.
    std::optional<KernelPlan> run() const {
        const FusedKernel &maker = m_plan.kernels[m_maker];
        const FusedKernel &reader = m_plan.kernels[m_reader];
        if (maker.rows() * maker.columns() != reader.rows() * reader.columns() || !readsAlike(reader, maker))
            return std::nullopt;
        KernelPlan plan = m_plan;
        const FirstPass apart = firstPassApart(plan, reader);
        const FusedKernel &sums = apart.first;
        const std::int64_t rounds = roundsOf(sums, maker.columns());
        if (rounds == 0 || !isThereBefore(sums) || !isThereBefore(maker) || !sharesMemory(sums, maker) ||
            apart.rest.passCount() >= reader.passCount())
            return std::nullopt;
        const std::int64_t count = sums.loops[sums.outer] / rounds;
        Shape shape(sums.loops.begin(), sums.loops.begin() + static_cast<std::ptrdiff_t>(sums.outer));
        shape.push_back(count);
        std::vector<int> memory;
        for (const KernelStore &store : sums.stores)
            memory.push_back(addTemporary(plan, shape, store.type));
        plan.kernels[m_reader] = apart.rest;
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(m_maker));
        plan.kernels.insert(plan.kernels.begin() + static_cast<std::ptrdiff_t>(first()),
                            {maker, ofParts(sums, rounds, memory), ofWhole(sums, count, memory)});
        mergeKernels(plan);
        return isMerged(plan, maker.stores[0].buffer, memory[0]) ? std::optional(std::move(plan))
                                                                 : std::nullopt;
    }

private:
    /// Where all of them are from then on.
    [[nodiscard]] std::size_t first() const { return std::min(m_maker, m_reader); }

    [[nodiscard]] bool isThereBefore(const FusedKernel &kernel) const {
        return std::all_of(kernel.leaves.begin(), kernel.leaves.end(), [this](const KernelLeaf &leaf) {
            for (std::size_t i = first(); i < m_plan.kernels.size(); ++i)
                for (const KernelStore &store : m_plan.kernels[i].stores)
                    if (store.buffer == leaf.buffer)
                        return false;
            return true;
        });
    }

    static bool readsAlike(const FusedKernel &reader, const FusedKernel &maker) {
        return std::any_of(reader.leaves.begin(), reader.leaves.end(), [&](const KernelLeaf &leaf) {
            return std::any_of(maker.leaves.begin(), maker.leaves.end(),
                               [&leaf](const KernelLeaf &other) { return other.buffer == leaf.buffer; });
        });
    }

    static bool sharesMemory(const FusedKernel &first, const FusedKernel &maker) {
        return std::any_of(first.leaves.begin(), first.leaves.end(), [&](const KernelLeaf &leaf) {
            return bytesRead(first, leaf.buffer) >= leastBytes &&
                   bytesRead(first, leaf.buffer) == bytesRead(maker, leaf.buffer);
        });
    }

    /// By one kernel.
    static bool isMerged(const KernelPlan &plan, int one, int other) {
        return std::any_of(plan.kernels.begin(), plan.kernels.end(), [&](const FusedKernel &kernel) {
            const auto leaves = [&](int buffer) {
                return std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                   [buffer](const KernelStore &store) { return store.buffer == buffer; });
            };
            return leaves(one) && leaves(other);
        });
    }

    const KernelPlan &m_plan;
    std::size_t m_maker;
    std::size_t m_reader;
};

} // namespace

void shareParts(KernelPlan &plan) {
    if (!plan.repeats.empty())
        return;
    for (std::size_t reader = 0; reader < plan.kernels.size(); ++reader)
        for (std::size_t maker = 0; maker < plan.kernels.size() && isReadAgain(plan.kernels[reader]); ++maker)
            if (maker != reader && formsParts(plan.kernels[maker]))
                if (auto shared = Sharing(plan, maker, reader).run()) {
                    plan = std::move(*shared);
                    reader = 0; // places are others now
                    maker = 0;
                }
}

} // namespace warpwright
