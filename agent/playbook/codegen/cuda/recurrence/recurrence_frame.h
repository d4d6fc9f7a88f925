// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"

#include <set>

namespace warpwright {

/// The role of an input in a loop over time.
struct LoopInput {
    enum class Kind {
        Invariant,   ///< the same at each time step
        PerTimeStep, ///< another slice at each time step
        State        ///< carried over from the previous time step
    };

    Kind kind = Kind::Invariant;
    QString name;       ///< of its registers
    int store = -1;     ///< State: which of the kernel's stores writes it
    bool isRow = false; ///< one element for a whole row
};

/// The registers of a kernel that loops over all time steps itself, and the text around its body.
class RecurrenceFrame {
public:
    RecurrenceFrame(const ReferenceGraph &graph, const Program &program, std::size_t kernel,
                    const KernelNames &names);

protected:
    /// The text before the kernel's body, and after it.
    [[nodiscard]] QString before(const std::set<QString> &functions) const;
    [[nodiscard]] QString after() const;
    [[nodiscard]] bool hasPerTimeStep() const;
    /// The declaration of a register or an array of them.
    [[nodiscard]] QString declared(ElementType type, bool isRow, const QString &name) const;
    /// The state that a store writes for the next time step; null: none.
    [[nodiscard]] const LoopInput *stateOf(int store) const;
    [[nodiscard]] static QString nextName(const LoopInput &state);
    /// Whether another kernel reads this store's buffer, or it is a result.
    [[nodiscard]] bool isReadElsewhere(const KernelStore &store) const;
    /// Whether it is stored at each time step; else it stays in a register until the last one.
    [[nodiscard]] bool isStoredEachTimeStep(const KernelStore &store) const;
    /// Whether no earlier input is the same state.
    [[nodiscard]] bool isFirstOfState(std::size_t loopInput) const;
    /// The type of the time step's counter: 32 bits where all addresses that it is part of fit.
    [[nodiscard]] QString timeStepType() const;
    /// Whether it is an exponential that is only used to multiply a state: its decay per time step.
    [[nodiscard]] bool isRateOfState(int step) const;
    [[nodiscard]] const ProgramBuffer &bufferOf(int buffer) const {
        return m_program.buffers[static_cast<std::size_t>(buffer)];
    }
    [[nodiscard]] const KernelStore &storeOf(const LoopInput &state) const {
        return m_kernel.stores[static_cast<std::size_t>(state.store)];
    }
    [[nodiscard]] bool isWide() const { return m_mapping.width > 1; }
    /// Whether some threads have fewer vectors of a row than others.
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
    std::vector<LoopInput> m_loopInputs; ///< by input

private:
    void findInputs();
    [[nodiscard]] QString why() const;
    [[nodiscard]] QString includes() const;
    [[nodiscard]] QString constants() const;
    [[nodiscard]] QString allReduceText() const;
    [[nodiscard]] QString perTimeStepText() const;
    [[nodiscard]] QString signature() const;
    [[nodiscard]] QString launcher() const;
};

} // namespace warpwright
