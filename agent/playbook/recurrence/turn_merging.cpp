// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/turn_merging.h"

#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/recurrence/recurrence_sharing.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostKernels = 6; ///< of a turn

// The maker's work at the places where the reader reads it; empty: these are not all of its places, each
// once.
std::optional<FusedKernel> bothOf(const FusedKernel &maker, const FusedKernel &reader) {
    if (!isOfLoops(maker) || !isOfLoops(reader))
        return std::nullopt;
    for (const KernelLeaf &leaf : reader.leaves)
        for (const KernelStore &store : maker.stores) {
            if (store.buffer != leaf.buffer || !leaf.isPlain())
                continue;
            const auto loops = maker.hasReductions()
                                   ? alignedLoops(maker, store.address, reader, leaf.address)
                                   : loopsOfReader(maker, store.address, reader, leaf.address);
            auto both = loops ? bothIn(*loops, maker, reader) : std::nullopt;
            if (both)
                return both;
        }
    return std::nullopt;
}

class TurnMerging {
public:
    explicit TurnMerging(KernelPlan plan) : m_plan(std::move(plan)) {}

    /// The plan with one kernel for each turn of this repeat; empty: there is none, or none that could keep
    /// its states.
    std::optional<KernelPlan> run(std::size_t repeat) {
        const std::size_t first = m_plan.repeats[repeat].first;
        while (m_plan.repeats[repeat].count > 1)
            if (!mergeOne(repeat))
                return std::nullopt;
        FusedKernel &kernel = m_plan.kernels[first];
        std::erase_if(kernel.stores, [&](const KernelStore &store) { return isDead(store.buffer); });
        kernel.finish();
        return recurrenceSharingOf(m_plan, first) ? std::optional(std::move(m_plan)) : std::nullopt;
    }

private:
    bool mergeOne(std::size_t repeat) {
        const std::size_t first = m_plan.repeats[repeat].first;
        const std::size_t end = first + m_plan.repeats[repeat].count;
        for (std::size_t maker = first; maker < end; ++maker)
            for (std::size_t reader = maker + 1; reader < end; ++reader) {
                auto both = bothOf(m_plan.kernels[maker], m_plan.kernels[reader]);
                if (!both || isNeededBetween(maker, reader))
                    continue;
                both->finish();
                m_plan.kernels[reader] = std::move(*both);
                m_plan.kernels.erase(m_plan.kernels.begin() + static_cast<std::ptrdiff_t>(maker));
                --m_plan.repeats[repeat].count;
                for (std::size_t other = repeat + 1; other < m_plan.repeats.size(); ++other)
                    --m_plan.repeats[other].first;
                return true;
            }
        return false;
    }

    /// The maker's work is done later than before.
    [[nodiscard]] bool isNeededBetween(std::size_t maker, std::size_t reader) const {
        for (std::size_t i = maker + 1; i < reader; ++i)
            for (const KernelLeaf &leaf : m_plan.kernels[i].leaves)
                for (const KernelStore &store : m_plan.kernels[maker].stores)
                    if (m_plan.memoryOf(store.buffer) == m_plan.memoryOf(leaf.buffer))
                        return true;
        return false;
    }

    /// Only kernels of the turn, that are this one now, read it.
    [[nodiscard]] bool isDead(int buffer) const {
        if (m_plan.buffers[static_cast<std::size_t>(buffer)].kind != PlanBuffer::Kind::Temporary)
            return false;
        for (std::size_t i = 0; i < m_plan.kernels.size(); ++i)
            for (const KernelLeaf &leaf : m_plan.kernels[i].leaves)
                if (m_plan.memoryOf(leaf.buffer) == buffer)
                    return false;
        return true;
    }

    KernelPlan m_plan;
};

// Two views of a turn's part that come to the same places are read once.
void readOnce(KernelPlan &plan, FusedKernel &kernel) {
    bool isTwice = false;
    for (std::size_t i = 0; i < kernel.leaves.size(); ++i)
        for (std::size_t before = 0; before < i; ++before) {
            KernelLeaf same = kernel.leaves[i];
            same.buffer = kernel.leaves[before].buffer;
            const PlanBuffer &one = plan.buffers[static_cast<std::size_t>(same.buffer)];
            const PlanBuffer &other = plan.buffers[static_cast<std::size_t>(kernel.leaves[i].buffer)];
            if (same != kernel.leaves[before] || one.kind != PlanBuffer::Kind::Window ||
                other.kind != one.kind || other.window != one.window)
                continue;
            isTwice = isTwice || same != kernel.leaves[i];
            kernel.leaves[i] = same;
        }
    if (!isTwice)
        return;
    kernel = partOf(kernel, 0, 0, kernel.loops[0]); // equal steps become one
    kernel.finish();
}

} // namespace

void mergeTurns(KernelPlan &plan) {
    for (std::size_t repeat = 0; repeat < plan.repeats.size(); ++repeat) {
        if (plan.repeats[repeat].count > 1 && plan.repeats[repeat].count <= mostKernels)
            if (auto merged = TurnMerging(plan).run(repeat))
                plan = std::move(*merged);
        if (const std::size_t first = plan.repeats[repeat].first; recurrenceSharingOf(plan, first))
            readOnce(plan, plan.kernels[first]);
    }
}

} // namespace warpwright
