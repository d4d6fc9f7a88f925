// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/recurrence/recurrence_sharing.h"

#include <set>

namespace warpwright {

/// Part a leaf plays in a loop over time.
struct TurnInput {
    enum class Kind {
        Always, ///< the same at each turn
        Given,  ///< another part of its memory at each turn
        State   ///< what the turn before has left
    };

    Kind kind = Kind::Always;
    QString name;       ///< of its registers
    int store = -1;     ///< State: which of the kernel's stores leaves it
    bool isRow = false; ///< one for all elements of a row
};

/// What a kernel that goes through all turns itself has in registers, and the text around its body.
class RecurrenceFrame {
public:
    RecurrenceFrame(const ReferenceGraph &graph, const KernelPlan &plan, std::size_t kernel,
                    const KernelNames &names);

protected:
    /// All that stands before the kernel's body, and after it.
    [[nodiscard]] QString before(const std::set<QString> &functions) const;
    [[nodiscard]] QString after() const;
    [[nodiscard]] bool hasGiven() const;
    /// A register's type and what stands behind its name.
    [[nodiscard]] QString declared(ElementType type, bool isRow, const QString &name) const;
    /// The state that a store leaves, if the next turn goes on from it.
    [[nodiscard]] const TurnInput *stateOf(int store) const;
    [[nodiscard]] static QString nextName(const TurnInput &state);
    /// Whether another kernel reads the memory of this store, or it is a result.
    [[nodiscard]] bool isReadElsewhere(const KernelStore &store) const;
    /// Whether the store is written at each turn; else it stays in a register, and its last value is left.
    [[nodiscard]] bool isLeftEachTurn(const KernelStore &store) const;
    /// Two leaves may be one state.
    [[nodiscard]] bool isFirstOfState(std::size_t input) const;
    /// Of the number of a turn: 32 bits where these hold every place that it comes to.
    [[nodiscard]] QString turnType() const;
    /// An exponential that multiplies a state and is nothing else: how much of it is left after a turn.
    [[nodiscard]] bool isRateOfState(int step) const;
    [[nodiscard]] const PlanBuffer &bufferOf(int buffer) const {
        return m_plan.buffers[static_cast<std::size_t>(buffer)];
    }
    [[nodiscard]] const KernelStore &storeOf(const TurnInput &state) const {
        return m_kernel.stores[static_cast<std::size_t>(state.store)];
    }
    [[nodiscard]] bool isWide() const { return m_sharing.width > 1; }
    /// Lanes that have fewer packs of a row than others.
    [[nodiscard]] bool isSplit() const {
        return m_sharing.lanes * m_sharing.packs * m_sharing.width != m_kernel.columns();
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    std::size_t m_place;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    RecurrenceSharing m_sharing;
    std::int64_t m_turns;
    std::vector<TurnInput> m_inputs; ///< by leaf

private:
    void findInputs();
    [[nodiscard]] QString why() const;
    [[nodiscard]] QString includes() const;
    [[nodiscard]] QString constants() const;
    [[nodiscard]] QString meetText() const;
    [[nodiscard]] QString givenText() const;
    [[nodiscard]] QString signature() const;
    [[nodiscard]] QString launcher() const;
};

} // namespace warpwright
