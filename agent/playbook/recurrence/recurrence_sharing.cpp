// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/recurrence_sharing.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/transpose_tile.h"

#include <algorithm>
#include <bit>

namespace warpwright {
namespace {

constexpr std::int64_t mostLanes = 32;
constexpr std::int64_t mostElements = 16;     ///< of a row, that a thread has
constexpr std::int64_t elementRegisters = 96; ///< for all that a thread keeps of its elements
constexpr std::int64_t aheadRegisters = 48;   ///< for what later turns read
constexpr std::int64_t mostAhead = 8;
constexpr std::int64_t enoughThreads = 32768; ///< eight warps on each of an H100's multiprocessors
constexpr std::int64_t mostThreads = std::int64_t(1) << 30;
constexpr std::int64_t packBytes = 16;

const PlanBuffer &bufferOf(const KernelPlan &plan, int buffer) {
    return plan.buffers[static_cast<std::size_t>(buffer)];
}

// The same element of the same place, but for the turn.
bool isOwnElement(const KernelPlan &plan, const KernelLeaf &leaf, const KernelStore &store) {
    const PlanBuffer &from = bufferOf(plan, leaf.buffer);
    const PlanBuffer &to = bufferOf(plan, store.buffer);
    return leaf.isPlain() && leaf.address == store.address && leaf.type == store.type &&
           from.kind == PlanBuffer::Kind::Window && to.kind == PlanBuffer::Kind::Window &&
           from.window.offset == to.window.offset && from.window.step == to.window.step &&
           from.window.ring == to.window.ring && to.window.first == from.window.first + 1;
}

/// What decides how a kernel's rows are shared.
class Sharing {
public:
    Sharing(const KernelPlan &plan, const FusedKernel &kernel, std::int64_t turns)
        : m_plan(plan), m_kernel(kernel), m_turns(turns) {}

    [[nodiscard]] std::optional<RecurrenceSharing> run() const {
        if (!isPlain() || !readsOnlyItsOwn(m_plan, m_kernel))
            return std::nullopt;
        RecurrenceSharing sharing;
        sharing.width = width();
        const std::int64_t packs = m_kernel.columns() / sharing.width;
        if (m_kernel.hasReductions()) {
            sharing.isAcross = sharing.width == 1 && isAcross();
            const auto lanes = lanesOf(packs, sharing);
            if (!lanes)
                return std::nullopt;
            sharing.lanes = *lanes;
            sharing.packs = (packs + *lanes - 1) / *lanes;
        } else {
            sharing.lanes = packs;
        }
        if (m_kernel.rows() * sharing.lanes > mostThreads)
            return std::nullopt;
        const std::int64_t given = counted(&Sharing::isGiven, false) * sharing.packs * sharing.width +
                                   counted(&Sharing::isGiven, true);
        sharing.ahead = static_cast<int>(std::clamp(aheadRegisters / std::max<std::int64_t>(given, 1),
                                                    std::int64_t(1), std::min(mostAhead, m_turns)));
        return sharing;
    }

private:
    [[nodiscard]] bool isPlain() const {
        const bool isOurs = m_kernel.anchor == Anchor::None && m_kernel.scatter.isEmpty() &&
                            !m_kernel.isOfPlaces && !m_kernel.hasScans() && !m_kernel.hasRanks() &&
                            !m_kernel.loops.empty() && !tiledLoopsOf(m_kernel);
        return isOurs &&
               std::all_of(m_kernel.steps.begin(), m_kernel.steps.end(),
                           [](const KernelStep &step) {
                               const bool isFloat =
                                   step.type == ElementType::Float32 || step.type == ElementType::Float64;
                               return (step.op != KernelOp::Load || step.operands.empty()) &&
                                      (!isReduction(step.op) || isFloat);
                           }) &&
               std::all_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                           [](const KernelStore &store) { return store.every.empty(); }) &&
               std::all_of(m_kernel.leaves.begin(), m_kernel.leaves.end(), [this](const KernelLeaf &leaf) {
                   return leaf.isPlain() && (bufferOf(m_plan, leaf.buffer).window.ring == 0 || isState(leaf));
               });
    }

    [[nodiscard]] bool isState(const KernelLeaf &leaf) const {
        return std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(), [&](const KernelStore &store) {
            return m_plan.memoryOf(store.buffer) == m_plan.memoryOf(leaf.buffer);
        });
    }
    [[nodiscard]] bool isGiven(const KernelLeaf &leaf) const {
        return !isState(leaf) && bufferOf(m_plan, leaf.buffer).window.step != 0;
    }
    [[nodiscard]] bool isAlways(const KernelLeaf &leaf) const { return !isState(leaf) && !isGiven(leaf); }
    [[nodiscard]] bool isOfRow(const AffineIndex &address) const {
        return m_kernel.levelOf(address) < StepLevel::Column;
    }
    [[nodiscard]] std::int64_t counted(bool (Sharing::*is)(const KernelLeaf &) const, bool areRows) const {
        return std::count_if(m_kernel.leaves.begin(), m_kernel.leaves.end(), [&](const KernelLeaf &leaf) {
            return isOfRow(leaf.address) == areRows && (this->*is)(leaf);
        });
    }

    [[nodiscard]] bool isWide(const AffineIndex &address, ElementType type, int width) const {
        return isOfRow(address) || (width * bytesOf(type) <= packBytes && address.steps.back() == 1 &&
                                    address.offset % width == 0 && m_kernel.loops.back() % width == 0 &&
                                    std::all_of(address.steps.begin(), address.steps.end() - 1,
                                                [width](std::int64_t step) { return step % width == 0; }));
    }
    [[nodiscard]] int width() const {
        for (const int width : {4, 2})
            if (std::all_of(m_kernel.leaves.begin(), m_kernel.leaves.end(),
                            [&](const KernelLeaf &leaf) { return isWide(leaf.address, leaf.type, width); }) &&
                std::all_of(m_kernel.stores.begin(), m_kernel.stores.end(), [&](const KernelStore &store) {
                    return isWide(store.address, store.type, width);
                }))
                return width;
        return 1;
    }

    /// A row's elements lie apart, and neighbouring rows side by side.
    [[nodiscard]] bool isAcross() const {
        return m_kernel.outer > 0 &&
               std::any_of(m_kernel.leaves.begin(), m_kernel.leaves.end(), [this](const KernelLeaf &leaf) {
                   return !isOfRow(leaf.address) && leaf.address.steps[m_kernel.outer - 1] == 1 &&
                          leaf.address.steps.back() != 1;
               });
    }

    /// As few as keep a device busy: threads that share a row have its sums to form together, and its numbers
    /// to work out each for itself.
    [[nodiscard]] std::optional<std::int64_t> lanesOf(std::int64_t packs,
                                                      const RecurrenceSharing &sharing) const {
        const std::vector<int> keptSteps = scheduleOf(m_kernel, Keeping::All).kept;
        const std::int64_t kept = std::count_if(keptSteps.begin(), keptSteps.end(), [this](int step) {
            return m_kernel.step(step).op != KernelOp::Load; // that is kept anyway
        });
        const std::int64_t ofElement = std::max<std::int64_t>(
            2 * counted(&Sharing::isState, false) + counted(&Sharing::isAlways, false) +
                2 * counted(&Sharing::isGiven, false) + kept,
            1);
        const std::int64_t most =
            std::max<std::int64_t>(std::min(mostElements, elementRegisters / ofElement) / sharing.width, 1);
        const auto fewest =
            static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>((packs + most - 1) / most)));
        if (fewest > mostLanes)
            return std::nullopt;
        const auto useful = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(packs)));
        std::int64_t lanes = fewest;
        while (m_kernel.rows() * lanes < enoughThreads && 2 * lanes <= std::min(useful, mostLanes))
            lanes *= 2;
        return lanes;
    }

    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    std::int64_t m_turns;
};

} // namespace

bool readsOnlyItsOwn(const KernelPlan &plan, const FusedKernel &kernel) {
    for (const KernelLeaf &leaf : kernel.leaves)
        for (const KernelStore &store : kernel.stores)
            if (plan.memoryOf(leaf.buffer) == plan.memoryOf(store.buffer) && !isOwnElement(plan, leaf, store))
                return false;
    return true;
}

std::int64_t turnsOfOwn(const KernelPlan &plan, std::size_t kernel) {
    for (const PlanRepeat &repeat : plan.repeats)
        if (repeat.first == kernel && repeat.count == 1)
            return repeat.turns;
    return 1;
}

std::optional<RecurrenceSharing> recurrenceSharingOf(const KernelPlan &plan, std::size_t kernel) {
    const std::int64_t turns = turnsOfOwn(plan, kernel);
    return turns > 1 ? Sharing(plan, plan.kernels[kernel], turns).run() : std::nullopt;
}

std::int64_t turnsInside(const KernelPlan &plan, std::size_t kernel) {
    if (recurrenceSharingOf(plan, kernel))
        return turnsOfOwn(plan, kernel);
    const FusedKernel &what = plan.kernels[kernel];
    const bool isPointwise = what.anchor == Anchor::None && what.scatter.isEmpty() &&
                             familyOf(what) == KernelFamily::Pointwise && !tiledLoopsOf(what);
    return isPointwise && readsOnlyItsOwn(plan, what) ? turnsOfOwn(plan, kernel) : 1;
}

} // namespace warpwright
