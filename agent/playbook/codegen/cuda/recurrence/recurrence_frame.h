// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"

#include <set>

namespace warpwright {

/// Part a leaf plays in a loop over time.
struct LoopInput {
    enum class Kind {
        Invariant,   ///< the same at each turn
        PerTimeStep, ///< another part of its memory at each turn
        State        ///< what the turn before has left
    };

    Kind kind = Kind::Invariant;
    QString name;       ///< of its registers
    int store = -1;     ///< State: which of the kernel's stores leaves it
    bool isRow = false; ///< one for all elements of a row
};

/// What a kernel that goes through all turns itself has in registers, and the text around its body.
class RecurrenceFrame {
public:
    RecurrenceFrame(const ReferenceGraph &graph, const Program &program, std::size_t kernel,
                    const KernelNames &names);

protected:
    /// All that stands before the kernel's body, and after it.
    [[nodiscard]] QString before(const std::set<QString> &functions) const;
    [[nodiscard]] QString after() const;
    [[nodiscard]] bool hasPerTimeStep() const;
    /// A register's type and what stands behind its name.
    [[nodiscard]] QString declared(ElementType type, bool isRow, const QString &name) const;
    /// The state that a store leaves, if the next turn goes on from it.
    [[nodiscard]] const LoopInput *stateOf(int store) const;
    [[nodiscard]] static QString nextName(const LoopInput &state);
    /// Whether another kernel reads the memory of this store, or it is a result.
    [[nodiscard]] bool isReadElsewhere(const KernelStore &store) const;
    /// Whether the store is written at each turn; else it stays in a register, and its last value is left.
    [[nodiscard]] bool isStoredEachTimeStep(const KernelStore &store) const;
    /// Two leaves may be one state.
    [[nodiscard]] bool isFirstOfState(std::size_t loopInput) const;
    /// Of the number of a turn: 32 bits where these hold every place that it comes to.
    [[nodiscard]] QString timeStepType() const;
    /// An exponential that multiplies a state and is nothing else: how much of it is left after a turn.
    [[nodiscard]] bool isRateOfState(int step) const;
    [[nodiscard]] const ProgramBuffer &bufferOf(int buffer) const {
        return m_program.buffers[static_cast<std::size_t>(buffer)];
    }
    [[nodiscard]] const KernelStore &storeOf(const LoopInput &state) const {
        return m_kernel.stores[static_cast<std::size_t>(state.store)];
    }
    [[nodiscard]] bool isWide() const { return m_mapping.width > 1; }
    /// Lanes that have fewer packs of a row than others.
    [[nodiscard]] bool isSplit() const {
        return m_mapping.threadsPerRow * m_mapping.vecs * m_mapping.width != m_kernel.columns();
    }

    const ReferenceGraph &m_graph;
    const Program &m_program;
    std::size_t m_kernelIndex;
    const Kernel &m_kernel;
    const KernelNames &m_names;
    RecurrenceMapping m_mapping;
    std::int64_t m_timeSteps;
    std::vector<LoopInput> m_loopInputs; ///< by leaf

private:
    void findInputs();
    [[nodiscard]] QString why() const;
    [[nodiscard]] QString includes() const;
    [[nodiscard]] QString constants() const;
    [[nodiscard]] QString meetText() const;
    [[nodiscard]] QString perTimeStepText() const;
    [[nodiscard]] QString signature() const;
    [[nodiscard]] QString launcher() const;
};

} // namespace warpwright
