// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/fuse_loop_consumers.h"

#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that vector accesses need

/// A loop of the consumer that contains another loop: one step of that is `factor` steps of this.
struct SubLoop {
    std::size_t loop = 0;
    std::int64_t factor = 1;

    [[nodiscard]] std::int64_t stepOf(const AffineExpr &index) const { return index.steps[loop] * factor; }
};

/// A persistent kernel, one of its stores, and the consumer of that.
class ConsumerFusion {
public:
    ConsumerFusion(Program &program, const TimeLoop &timeLoop, std::size_t store, std::size_t consumer)
        : m_program(program),
          m_timeSteps(timeLoop.timeSteps),
          m_index(timeLoop.first),
          m_kernel(program.kernels[timeLoop.first]),
          m_store(m_kernel.stores[store]),
          m_consumerPosition(consumer),
          m_consumer(program.kernels[consumer]) {}

    /// Whether the consumer was fused.
    bool run() {
        if (!isOnlyConsumer() || !findLoops())
            return false;
        Program changed = m_program;
        Kernel all = m_kernel;
        if (!addSteps(changed, all))
            return false;
        const KernelStore &result = m_consumer.stores[0];
        all.stores.push_back({m_newSteps[static_cast<std::size_t>(result.step)],
                              windowOf(changed, result.buffer, result.address, at(result.buffer)),
                              result.type, inTimeStep(result.address)});
        std::erase_if(all.stores, [this](const KernelStore &some) {
            return m_program.memoryOf(some.buffer) == m_program.memoryOf(m_store.buffer);
        });
        changed.kernels[m_index] = std::move(all);
        changed.kernels.erase(changed.kernels.begin() + static_cast<std::ptrdiff_t>(m_consumerPosition));
        for (TimeLoop &some : changed.timeLoops)
            if (some.first > m_consumerPosition)
                --some.first;
        if (!recurrenceMappingOf(changed, m_index))
            return false;
        m_program = std::move(changed);
        return true;
    }

private:
    [[nodiscard]] const ProgramBuffer &at(int buffer) const {
        return m_program.buffers[static_cast<std::size_t>(buffer)];
    }

    /// Whether nothing else reads these states, and the consumer's other inputs exist before the loop.
    [[nodiscard]] bool isOnlyConsumer() const {
        const int history = m_program.memoryOf(m_store.buffer);
        for (std::size_t i = 0; i < m_program.kernels.size(); ++i)
            for (const KernelInput &input : m_program.kernels[i].inputs)
                if (i != m_consumerPosition && m_program.memoryOf(input.buffer) == history)
                    return false;
        for (std::size_t i = m_index; i < m_program.kernels.size(); ++i)
            for (const KernelStore &store : m_program.kernels[i].stores)
                for (const KernelInput &input : m_consumer.inputs)
                    if (m_program.memoryOf(input.buffer) != history &&
                        m_program.memoryOf(input.buffer) == m_program.memoryOf(store.buffer))
                        return false;
        return at(history).kind == ProgramBuffer::Kind::Temporary;
    }

    /// Finds the time loop and the kernel's own loops in the consumer's.
    bool findLoops() {
        const ProgramBuffer &state = at(m_store.buffer);
        const TimeStepWindow &window = state.window;
        const auto isRead = [this](const KernelInput &input) {
            return m_program.memoryOf(input.buffer) == m_program.memoryOf(m_store.buffer);
        };
        if (state.kind != ProgramBuffer::Kind::Window || window.ring != 0 || window.step <= 0 ||
            std::count_if(m_consumer.inputs.begin(), m_consumer.inputs.end(), isRead) != 1)
            return false;
        const KernelInput &input = *std::find_if(m_consumer.inputs.begin(), m_consumer.inputs.end(), isRead);
        const ProgramBuffer &from = at(input.buffer);
        const TimeStepWindow read = from.kind == ProgramBuffer::Kind::Window ? from.window : TimeStepWindow{};
        const bool isOfRows = m_kernel.hasReductions(); // then the state is a result of the row
        const std::size_t loops = isOfRows ? m_kernel.outer : m_kernel.loops.size();
        if (read.step != 0 || read.ring != 0 || input.type != m_store.type ||
            m_kernel.step(m_store.step).type != m_store.type || m_store.address.offset != 0 ||
            read.offset + input.address.offset != window.offset + window.first * window.step ||
            (isOfRows && m_kernel.levelOf(m_store.address) >= StepLevel::Column) ||
            elementCount(m_consumer.loops) != m_timeSteps * window.step ||
            (isOfRows ? m_kernel.rows() : elementCount(m_kernel.loops)) != window.step)
            return false;
        for (std::size_t k = 0; k < m_consumer.loops.size(); ++k)
            if (m_consumer.loops[k] > 1 && input.address.steps[k] <= 0)
                return false;
        const auto partOf = [&](std::int64_t step, std::int64_t count) -> std::optional<SubLoop> {
            for (std::size_t k = 0; k < m_consumer.loops.size(); ++k) {
                const std::int64_t own = input.address.steps[k];
                if (own > 0 && step % own == 0 && step * count <= own * m_consumer.loops[k])
                    return SubLoop{k, step / own};
            }
            return std::nullopt;
        };
        const auto timeStep = partOf(window.step, m_timeSteps);
        if (!timeStep)
            return false;
        m_timeStep = *timeStep;
        m_subLoops.resize(m_kernel.loops.size());
        for (std::size_t k = 0; k < loops; ++k) {
            if (m_kernel.loops[k] == 1)
                continue;
            if (m_store.address.steps[k] <= 0)
                return false;
            m_subLoops[k] = partOf(m_store.address.steps[k], m_kernel.loops[k]);
            if (!m_subLoops[k])
                return false;
        }
        return true;
    }

    /// An index in the consumer's loops, in those of the kernel.
    [[nodiscard]] AffineExpr inTimeStep(const AffineExpr &index) const {
        AffineExpr moved{0, std::vector<std::int64_t>(m_kernel.loops.size(), 0)};
        for (std::size_t k = 0; k < m_subLoops.size(); ++k)
            if (m_subLoops[k])
                moved.steps[k] = m_subLoops[k]->stepOf(index);
        return moved;
    }

    /// One input may be two buffers: of the loop, and of what comes after it.
    [[nodiscard]] bool areSameInput(int one, int other) const {
        const auto isInput = [this](int buffer) {
            return at(buffer).kind == ProgramBuffer::Kind::Input;
        };
        return one == other ||
               (isInput(one) && isInput(other) && at(one).node == at(other).node && at(one).node >= 0);
    }

    /// The memory of a buffer as a window of the time step.
    [[nodiscard]] int windowOf(Program &changed, int buffer, const AffineExpr &address,
                               const ProgramBuffer &like) const {
        ProgramBuffer window = like;
        window.kind = ProgramBuffer::Kind::Window;
        window.window = {buffer, address.offset, m_timeStep.stepOf(address), 0, 0};
        // An equal window is reused.
        for (std::size_t i = 0; i < changed.buffers.size(); ++i) {
            const ProgramBuffer &other = changed.buffers[i];
            TimeStepWindow same = window.window;
            same.buffer = other.window.buffer;
            if (other.kind == ProgramBuffer::Kind::Window && other.window == same &&
                areSameInput(buffer, same.buffer))
                return static_cast<int>(i);
        }
        changed.buffers.push_back(window);
        return static_cast<int>(changed.buffers.size()) - 1;
    }

    /// Appends the consumer's steps to those of the kernel.
    bool addSteps(Program &changed, Kernel &all) {
        for (const KernelStep &step : m_consumer.steps) {
            if (step.isGuarded)
                return false;
            if (step.op == Opcode::Load) {
                KernelInput input = m_consumer.inputs[static_cast<std::size_t>(step.input)];
                if (m_program.memoryOf(input.buffer) == m_program.memoryOf(m_store.buffer)) {
                    m_newSteps.push_back(m_store.step);
                    continue;
                }
                if (!input.isPlain() || at(input.buffer).kind == ProgramBuffer::Kind::Window)
                    return false;
                const std::int64_t ofTimeStep = m_timeStep.stepOf(input.address);
                const std::int64_t offset = input.address.offset;
                if ((ofTimeStep | offset) * bytesOf(input.type) % alignedBytes != 0)
                    return false;
                if (ofTimeStep != 0)
                    input.buffer = windowOf(changed, input.buffer, input.address, at(input.buffer));
                input.address = inTimeStep(input.address);
                if (ofTimeStep == 0)
                    input.address.offset = offset;
                m_newSteps.push_back(all.load(input));
            } else if (step.op == Opcode::Number) {
                m_newSteps.push_back(all.number(step.number, step.type));
            } else if (step.op == Opcode::Index) {
                if (m_timeStep.stepOf(step.index) != 0)
                    return false;
                AffineExpr index = inTimeStep(step.index);
                index.offset = step.index.offset;
                m_newSteps.push_back(all.index(index));
            } else {
                std::vector<int> operands;
                for (const int operand : step.operands)
                    operands.push_back(m_newSteps[static_cast<std::size_t>(operand)]);
                m_newSteps.push_back(all.add(step.op, step.type, std::move(operands)));
            }
        }
        const KernelStore &result = m_consumer.stores[0];
        return (m_timeStep.stepOf(result.address) | result.address.offset) * bytesOf(result.type) %
                   alignedBytes ==
               0;
    }

    Program &m_program;
    std::int64_t m_timeSteps;
    std::size_t m_index;
    const Kernel m_kernel;
    const KernelStore m_store;
    std::size_t m_consumerPosition;
    const Kernel m_consumer;
    SubLoop m_timeStep;
    std::vector<std::optional<SubLoop>> m_subLoops; ///< by loop of the kernel; none: size 1, or inner
    std::vector<int> m_newSteps;                    ///< by step of the consumer
};

bool isPointwise(const Kernel &kernel) {
    return isLoopNest(kernel) && !kernel.hasReductions() && !kernel.hasScans() && !kernel.hasKthValues() &&
           kernel.stores.size() == 1 && kernel.stores[0].every.empty();
}

bool fuseOne(Program &program) {
    for (const TimeLoop &timeLoop : program.timeLoops) {
        if (timeLoop.count != 1 || !recurrenceMappingOf(program, timeLoop.first))
            continue;
        for (std::size_t store = 0; store < program.kernels[timeLoop.first].stores.size(); ++store)
            for (std::size_t consumer = timeLoop.first + 1; consumer < program.kernels.size(); ++consumer)
                if (isPointwise(program.kernels[consumer]) && program.timeStepsOf(consumer) == 1 &&
                    ConsumerFusion(program, timeLoop, store, consumer).run())
                    return true;
    }
    return false;
}

} // namespace

void fuseLoopConsumers(Program &program) {
    while (fuseOne(program)) {
    }
}

} // namespace warpwright
