// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/turn_readers.h"

#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/recurrence/recurrence_sharing.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that wide loads and stores start at

/// A loop of the reader, of which another loop is a part: a step of that is so many of this.
struct Part {
    std::size_t loop = 0;
    std::int64_t factor = 1;

    [[nodiscard]] std::int64_t stepOf(const AffineIndex &index) const { return index.steps[loop] * factor; }
};

/// One kernel that goes through turns, one of its stores, and who reads that afterwards.
class Folding {
public:
    Folding(KernelPlan &plan, const PlanRepeat &repeat, std::size_t store, std::size_t reader)
        : m_plan(plan),
          m_turns(repeat.turns),
          m_place(repeat.first),
          m_kernel(plan.kernels[repeat.first]),
          m_store(m_kernel.stores[store]),
          m_readerPlace(reader),
          m_reader(plan.kernels[reader]) {}

    /// Whether the reader is gone.
    bool run() {
        if (!isAlone() || !findParts())
            return false;
        KernelPlan changed = m_plan;
        FusedKernel all = m_kernel;
        if (!addSteps(changed, all))
            return false;
        const KernelStore &result = m_reader.stores[0];
        all.stores.push_back({m_made[static_cast<std::size_t>(result.step)],
                              windowOf(changed, result.buffer, result.address, at(result.buffer)),
                              result.type, inTurn(result.address)});
        std::erase_if(all.stores, [this](const KernelStore &some) {
            return m_plan.memoryOf(some.buffer) == m_plan.memoryOf(m_store.buffer);
        });
        changed.kernels[m_place] = std::move(all);
        changed.kernels.erase(changed.kernels.begin() + static_cast<std::ptrdiff_t>(m_readerPlace));
        for (PlanRepeat &some : changed.repeats)
            if (some.first > m_readerPlace)
                --some.first;
        if (!recurrenceSharingOf(changed, m_place))
            return false;
        m_plan = std::move(changed);
        return true;
    }

private:
    [[nodiscard]] const PlanBuffer &at(int buffer) const {
        return m_plan.buffers[static_cast<std::size_t>(buffer)];
    }

    /// Whether nobody else reads these states, and what the reader takes beside is there before the turns.
    [[nodiscard]] bool isAlone() const {
        const int history = m_plan.memoryOf(m_store.buffer);
        for (std::size_t i = 0; i < m_plan.kernels.size(); ++i)
            for (const KernelLeaf &leaf : m_plan.kernels[i].leaves)
                if (i != m_readerPlace && m_plan.memoryOf(leaf.buffer) == history)
                    return false;
        for (std::size_t i = m_place; i < m_plan.kernels.size(); ++i)
            for (const KernelStore &store : m_plan.kernels[i].stores)
                for (const KernelLeaf &leaf : m_reader.leaves)
                    if (m_plan.memoryOf(leaf.buffer) != history &&
                        m_plan.memoryOf(leaf.buffer) == m_plan.memoryOf(store.buffer))
                        return false;
        return at(history).kind == PlanBuffer::Kind::Temporary;
    }

    /// Where the turns and the kernel's own loops are among the reader's.
    bool findParts() {
        const PlanBuffer &state = at(m_store.buffer);
        const TurnWindow &window = state.window;
        const auto isRead = [this](const KernelLeaf &leaf) {
            return m_plan.memoryOf(leaf.buffer) == m_plan.memoryOf(m_store.buffer);
        };
        if (state.kind != PlanBuffer::Kind::Window || window.ring != 0 || window.step <= 0 ||
            std::count_if(m_reader.leaves.begin(), m_reader.leaves.end(), isRead) != 1)
            return false;
        const KernelLeaf &leaf = *std::find_if(m_reader.leaves.begin(), m_reader.leaves.end(), isRead);
        const PlanBuffer &from = at(leaf.buffer);
        const TurnWindow read = from.kind == PlanBuffer::Kind::Window ? from.window : TurnWindow{};
        const bool isOfRows = m_kernel.hasReductions(); // then it is what a row comes to
        const std::size_t loops = isOfRows ? m_kernel.outer : m_kernel.loops.size();
        if (read.step != 0 || read.ring != 0 || leaf.type != m_store.type ||
            m_kernel.step(m_store.step).type != m_store.type || m_store.address.offset != 0 ||
            read.offset + leaf.address.offset != window.offset + window.first * window.step ||
            (isOfRows && m_kernel.levelOf(m_store.address) >= StepLevel::Column) ||
            elementCount(m_reader.loops) != m_turns * window.step ||
            (isOfRows ? m_kernel.rows() : elementCount(m_kernel.loops)) != window.step)
            return false;
        for (std::size_t k = 0; k < m_reader.loops.size(); ++k)
            if (m_reader.loops[k] > 1 && leaf.address.steps[k] <= 0)
                return false;
        const auto partOf = [&](std::int64_t step, std::int64_t count) -> std::optional<Part> {
            for (std::size_t k = 0; k < m_reader.loops.size(); ++k) {
                const std::int64_t own = leaf.address.steps[k];
                if (own > 0 && step % own == 0 && step * count <= own * m_reader.loops[k])
                    return Part{k, step / own};
            }
            return std::nullopt;
        };
        const auto turn = partOf(window.step, m_turns);
        if (!turn)
            return false;
        m_turn = *turn;
        m_parts.resize(m_kernel.loops.size());
        for (std::size_t k = 0; k < loops; ++k) {
            if (m_kernel.loops[k] == 1)
                continue;
            if (m_store.address.steps[k] <= 0)
                return false;
            m_parts[k] = partOf(m_store.address.steps[k], m_kernel.loops[k]);
            if (!m_parts[k])
                return false;
        }
        return true;
    }

    /// An index of the reader's loops by those of a turn.
    [[nodiscard]] AffineIndex inTurn(const AffineIndex &index) const {
        AffineIndex moved{0, std::vector<std::int64_t>(m_kernel.loops.size(), 0)};
        for (std::size_t k = 0; k < m_parts.size(); ++k)
            if (m_parts[k])
                moved.steps[k] = m_parts[k]->stepOf(index);
        return moved;
    }

    /// An input may be two buffers: of the turns, and of what comes after them.
    [[nodiscard]] bool areOne(int one, int other) const {
        const auto isInput = [this](int buffer) {
            return at(buffer).kind == PlanBuffer::Kind::Leaf;
        };
        return one == other ||
               (isInput(one) && isInput(other) && at(one).node == at(other).node && at(one).node >= 0);
    }

    /// The memory of a buffer as a turn finds it.
    [[nodiscard]] int windowOf(KernelPlan &changed, int buffer, const AffineIndex &address,
                               const PlanBuffer &like) const {
        PlanBuffer window = like;
        window.kind = PlanBuffer::Kind::Window;
        window.window = {buffer, address.offset, m_turn.stepOf(address), 0, 0};
        // Another leaf may be the same.
        for (std::size_t i = 0; i < changed.buffers.size(); ++i) {
            const PlanBuffer &other = changed.buffers[i];
            TurnWindow same = window.window;
            same.buffer = other.window.buffer;
            if (other.kind == PlanBuffer::Kind::Window && other.window == same && areOne(buffer, same.buffer))
                return static_cast<int>(i);
        }
        changed.buffers.push_back(window);
        return static_cast<int>(changed.buffers.size()) - 1;
    }

    /// The reader's steps behind those of a turn.
    bool addSteps(KernelPlan &changed, FusedKernel &all) {
        for (const KernelStep &step : m_reader.steps) {
            if (step.isGuarded)
                return false;
            if (step.op == KernelOp::Load) {
                KernelLeaf leaf = m_reader.leaves[static_cast<std::size_t>(step.leaf)];
                if (m_plan.memoryOf(leaf.buffer) == m_plan.memoryOf(m_store.buffer)) {
                    m_made.push_back(m_store.step);
                    continue;
                }
                if (!leaf.isPlain() || at(leaf.buffer).kind == PlanBuffer::Kind::Window)
                    return false;
                const std::int64_t ofTurn = m_turn.stepOf(leaf.address);
                const std::int64_t offset = leaf.address.offset;
                if ((ofTurn | offset) * bytesOf(leaf.type) % alignedBytes != 0)
                    return false;
                if (ofTurn != 0)
                    leaf.buffer = windowOf(changed, leaf.buffer, leaf.address, at(leaf.buffer));
                leaf.address = inTurn(leaf.address);
                if (ofTurn == 0)
                    leaf.address.offset = offset;
                m_made.push_back(all.load(leaf));
            } else if (step.op == KernelOp::Number) {
                m_made.push_back(all.number(step.number, step.type));
            } else if (step.op == KernelOp::Index) {
                if (m_turn.stepOf(step.index) != 0)
                    return false;
                AffineIndex index = inTurn(step.index);
                index.offset = step.index.offset;
                m_made.push_back(all.index(index));
            } else {
                std::vector<int> operands;
                for (const int operand : step.operands)
                    operands.push_back(m_made[static_cast<std::size_t>(operand)]);
                m_made.push_back(all.add(step.op, step.type, std::move(operands)));
            }
        }
        const KernelStore &result = m_reader.stores[0];
        return (m_turn.stepOf(result.address) | result.address.offset) * bytesOf(result.type) %
                   alignedBytes ==
               0;
    }

    KernelPlan &m_plan;
    std::int64_t m_turns;
    std::size_t m_place;
    const FusedKernel m_kernel;
    const KernelStore m_store;
    std::size_t m_readerPlace;
    const FusedKernel m_reader;
    Part m_turn;
    std::vector<std::optional<Part>>
        m_parts;             ///< by loop of the kernel; none: of one element, or within a row
    std::vector<int> m_made; ///< by step of the reader
};

bool isPointwise(const FusedKernel &kernel) {
    return isOfLoops(kernel) && !kernel.hasReductions() && !kernel.hasScans() && !kernel.hasRanks() &&
           kernel.stores.size() == 1 && kernel.stores[0].every.empty();
}

bool foldOne(KernelPlan &plan) {
    for (const PlanRepeat &repeat : plan.repeats) {
        if (repeat.count != 1 || !recurrenceSharingOf(plan, repeat.first))
            continue;
        for (std::size_t store = 0; store < plan.kernels[repeat.first].stores.size(); ++store)
            for (std::size_t reader = repeat.first + 1; reader < plan.kernels.size(); ++reader)
                if (isPointwise(plan.kernels[reader]) && plan.turnsOf(reader) == 1 &&
                    Folding(plan, repeat, store, reader).run())
                    return true;
    }
    return false;
}

} // namespace

void foldTurnReaders(KernelPlan &plan) {
    while (foldOne(plan)) {
    }
}

} // namespace warpwright
