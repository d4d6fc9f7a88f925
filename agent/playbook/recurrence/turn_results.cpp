// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/turn_results.h"

#include "agent/playbook/analysis/product_plan.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that wide stores start at

class TurnResults {
public:
    explicit TurnResults(KernelPlan &plan) : m_plan(plan) {}

    /// Whether a copy is gone.
    bool run() {
        for (std::size_t i = 0; i < m_plan.kernels.size(); ++i)
            if (isCopyOfStates(m_plan.kernels[i]) && m_plan.turnsOf(i) == 1 && leaveWhatIsCopiedBy(i))
                return true;
        return false;
    }

private:
    [[nodiscard]] const PlanBuffer &at(int buffer) const {
        return m_plan.buffers[static_cast<std::size_t>(buffer)];
    }

    [[nodiscard]] bool isCopyOfStates(const FusedKernel &kernel) const {
        if (kernel.anchor != Anchor::None || kernel.stores.size() != 1 || kernel.leaves.size() != 1 ||
            !kernel.scatter.isEmpty() || !isPlainLoad(kernel, kernel.stores[0].step))
            return false;
        const KernelStore &store = kernel.stores[0];
        const KernelLeaf &leaf = kernel.leaves[0];
        const PlanBuffer &from = at(leaf.buffer);
        return leaf.isPlain() && leaf.type == store.type &&
               at(store.buffer).kind == PlanBuffer::Kind::Output && from.kind == PlanBuffer::Kind::Window &&
               from.window.step == 0 && from.window.ring == 0 &&
               at(from.window.buffer).kind == PlanBuffer::Kind::Temporary;
    }

    /// The copy with each loop in the direction in which it reads: what goes back through states writes
    /// forwards.
    [[nodiscard]] static FusedKernel readingForwards(FusedKernel copy) {
        AffineIndex &read = copy.leaves[0].address;
        AffineIndex &written = copy.stores[0].address;
        for (std::size_t k = 0; k < copy.loops.size(); ++k) {
            if (read.steps[k] >= 0)
                continue;
            for (AffineIndex *index : {&read, &written}) {
                index->offset += (copy.loops[k] - 1) * index->steps[k];
                index->steps[k] = -index->steps[k];
            }
        }
        return copy;
    }

    bool leaveWhatIsCopiedBy(std::size_t copyPlace) {
        const FusedKernel copy = readingForwards(m_plan.kernels[copyPlace]);
        const std::int64_t begin = copy.stores[0].address.offset;
        if (copy.leaves[0].address.offset != 0 || begin * bytesOf(copy.stores[0].type) % alignedBytes != 0)
            return false;
        const TurnWindow from = at(copy.leaves[0].buffer).window;
        for (const PlanRepeat &repeat : m_plan.repeats)
            for (std::size_t i = repeat.first; i < repeat.first + repeat.count && i < copyPlace; ++i)
                for (const KernelStore &store : m_plan.kernels[i].stores) {
                    const PlanBuffer state = at(store.buffer);
                    const TurnWindow &window = state.window;
                    const bool isOfIt = state.kind == PlanBuffer::Kind::Window && window.ring == 0 &&
                                        window.buffer == from.buffer && window.step > 0 &&
                                        from.offset == window.offset + window.first * window.step;
                    if (!isOfIt)
                        continue;
                    const auto placed = placedBy(copy, m_plan.kernels[i], store, window.step, repeat.turns);
                    if (!placed)
                        return false;
                    const KernelStore more{store.step, static_cast<int>(m_plan.buffers.size()), store.type,
                                           placed->address};
                    PlanBuffer result = state;
                    result.window = {copy.stores[0].buffer, begin, placed->turnStep, 0, 0};
                    m_plan.buffers.push_back(result);
                    m_plan.kernels[i].stores.push_back(more);
                    const std::int64_t slot = window.step;
                    drop(copyPlace);
                    if (isRead(from.buffer))
                        makeRing(from.buffer, repeat, slot);
                    else
                        std::erase_if(m_plan.kernels[i].stores, [&](const KernelStore &some) {
                            return m_plan.memoryOf(some.buffer) == from.buffer;
                        });
                    return true;
                }
        return false;
    }

    struct Placed {
        AffineIndex address;
        std::int64_t turnStep = 0;
    };

    /// Where the copy puts what a turn's kernel stores; empty: its loops do not say, or not side by side.
    [[nodiscard]] static std::optional<Placed> placedBy(const FusedKernel &copy, const FusedKernel &kernel,
                                                        const KernelStore &store, std::int64_t slot,
                                                        std::int64_t turns) {
        const bool isOfRows = kernel.hasReductions(); // then it is what a row comes to
        if (kernel.anchor != Anchor::None || !kernel.scatter.isEmpty() || store.address.offset != 0 ||
            store.type != copy.stores[0].type ||
            (isOfRows && kernel.levelOf(store.address) >= StepLevel::Column))
            return std::nullopt;
        // Each element of each state goes to one place, and this kernel makes all of them.
        const std::size_t loops = isOfRows ? kernel.outer : kernel.loops.size();
        bool isOnce = elementCount(copy.loops) == turns * slot &&
                      (isOfRows ? kernel.rows() : elementCount(kernel.loops)) == slot;
        for (std::size_t k = 0; k < copy.loops.size(); ++k)
            isOnce = isOnce && (copy.loops[k] == 1 || copy.leaves[0].address.steps[k] > 0);
        if (!isOnce)
            return std::nullopt;
        // What lies `step` apart in a state, `count` times.
        const auto moved = [&copy](std::int64_t step, std::int64_t count) -> std::optional<std::int64_t> {
            for (std::size_t k = 0; k < copy.loops.size(); ++k) {
                const std::int64_t own = copy.leaves[0].address.steps[k];
                if (own > 0 && step % own == 0 && step * count <= own * copy.loops[k])
                    return step / own * copy.stores[0].address.steps[k];
            }
            return std::nullopt;
        };
        const auto turnStep = moved(slot, turns);
        if (!turnStep || *turnStep * bytesOf(store.type) % alignedBytes != 0)
            return std::nullopt;
        Placed placed{store.address, *turnStep};
        for (std::size_t k = 0; k < loops; ++k) {
            if (kernel.loops[k] == 1)
                continue;
            const auto step = moved(store.address.steps[k], kernel.loops[k]);
            const bool isAlong = store.address.steps[k] == 1;
            if (!step || store.address.steps[k] == 0 || (isAlong && *step != 1))
                return std::nullopt;
            placed.address.steps[k] = *step;
        }
        return placed;
    }

    [[nodiscard]] bool isRead(int memory) const {
        return std::any_of(m_plan.kernels.begin(), m_plan.kernels.end(), [&](const FusedKernel &kernel) {
            return std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
                return m_plan.memoryOf(leaf.buffer) == memory;
            });
        });
    }

    void drop(std::size_t kernel) {
        m_plan.kernels.erase(m_plan.kernels.begin() + static_cast<std::ptrdiff_t>(kernel));
        for (PlanRepeat &repeat : m_plan.repeats)
            if (repeat.first > kernel)
                --repeat.first;
    }

    // The state before and the one after are all that a turn looks at.
    void makeRing(int history, const PlanRepeat &repeat, std::int64_t slot) {
        std::vector<int> windows;
        for (std::size_t i = 0; i < m_plan.kernels.size(); ++i) {
            const FusedKernel &kernel = m_plan.kernels[i];
            const bool isOfTurns = i >= repeat.first && i < repeat.first + repeat.count;
            std::vector<int> buffers;
            for (const KernelLeaf &leaf : kernel.leaves)
                buffers.push_back(leaf.buffer);
            for (const KernelStore &store : kernel.stores)
                buffers.push_back(store.buffer);
            for (const int buffer : buffers) {
                if (m_plan.memoryOf(buffer) != history)
                    continue;
                const PlanBuffer &what = at(buffer);
                const TurnWindow &window = what.window;
                const bool isFirst = what.kind == PlanBuffer::Kind::Window && window.step == 0 &&
                                     window.offset == 0 && window.ring == 0 && i < repeat.first;
                const bool isInTurns = isOfTurns && what.kind == PlanBuffer::Kind::Window &&
                                       window.step == slot && window.offset == 0 && window.ring == 0 &&
                                       window.first <= 1;
                if (!isFirst && !isInTurns)
                    return;
                if (isInTurns)
                    windows.push_back(buffer);
            }
        }
        if (repeat.turns < 2)
            return;
        for (const int buffer : windows)
            m_plan.buffers[static_cast<std::size_t>(buffer)].window.ring = 2;
        m_plan.buffers[static_cast<std::size_t>(history)].layout.memory = {2, slot};
    }

    KernelPlan &m_plan;
};

} // namespace

void leaveTurnsInResults(KernelPlan &plan) {
    while (TurnResults(plan).run()) {
    }
}

} // namespace warpwright
