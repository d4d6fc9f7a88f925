// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/persistent_loop.h"

#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostKernels = 6; ///< of a time step

// The producer's work at the addresses where the consumer reads it; empty: these are not all of its stores,
// each once.
std::optional<Kernel> fusedPair(const Kernel &producer, const Kernel &consumer) {
    if (!isLoopNest(producer) || !isLoopNest(consumer))
        return std::nullopt;
    for (const KernelInput &input : consumer.inputs)
        for (const KernelStore &store : producer.stores) {
            if (store.buffer != input.buffer || !input.isPlain())
                continue;
            const auto loops = producer.hasReductions()
                                   ? alignedLoops(producer, store.address, consumer, input.address)
                                   : loopsOfConsumer(producer, store.address, consumer, input.address);
            auto both = loops ? fusedIn(*loops, producer, consumer) : std::nullopt;
            if (both)
                return both;
        }
    return std::nullopt;
}

class PersistentLoopFusion {
public:
    explicit PersistentLoopFusion(Program program) : m_program(std::move(program)) {}

    /// The program with one kernel for a time step of this loop; empty: there is none, or it could not keep
    /// its states.
    std::optional<Program> run(std::size_t timeLoop) {
        const std::size_t first = m_program.timeLoops[timeLoop].first;
        while (m_program.timeLoops[timeLoop].count > 1)
            if (!fuseOne(timeLoop))
                return std::nullopt;
        Kernel &kernel = m_program.kernels[first];
        std::erase_if(kernel.stores, [&](const KernelStore &store) { return isDead(store.buffer); });
        kernel.finish();
        return recurrenceMappingOf(m_program, first) ? std::optional(std::move(m_program)) : std::nullopt;
    }

private:
    bool fuseOne(std::size_t timeLoop) {
        const std::size_t first = m_program.timeLoops[timeLoop].first;
        const std::size_t end = first + m_program.timeLoops[timeLoop].count;
        for (std::size_t producer = first; producer < end; ++producer)
            for (std::size_t consumer = producer + 1; consumer < end; ++consumer) {
                auto both = fusedPair(m_program.kernels[producer], m_program.kernels[consumer]);
                if (!both || isReadBetween(producer, consumer))
                    continue;
                both->finish();
                m_program.kernels[consumer] = std::move(*both);
                m_program.kernels.erase(m_program.kernels.begin() + static_cast<std::ptrdiff_t>(producer));
                --m_program.timeLoops[timeLoop].count;
                for (std::size_t other = timeLoop + 1; other < m_program.timeLoops.size(); ++other)
                    --m_program.timeLoops[other].first;
                return true;
            }
        return false;
    }

    /// Whether a kernel in between reads what the fused kernel would store too late.
    [[nodiscard]] bool isReadBetween(std::size_t producer, std::size_t consumer) const {
        for (std::size_t i = producer + 1; i < consumer; ++i)
            for (const KernelInput &input : m_program.kernels[i].inputs)
                for (const KernelStore &store : m_program.kernels[producer].stores)
                    if (m_program.memoryOf(store.buffer) == m_program.memoryOf(input.buffer))
                        return true;
        return false;
    }

    /// A temporary that only the fused kernels have read.
    [[nodiscard]] bool isDead(int buffer) const {
        if (m_program.buffers[static_cast<std::size_t>(buffer)].kind != ProgramBuffer::Kind::Temporary)
            return false;
        for (std::size_t i = 0; i < m_program.kernels.size(); ++i)
            for (const KernelInput &input : m_program.kernels[i].inputs)
                if (m_program.memoryOf(input.buffer) == buffer)
                    return false;
        return true;
    }

    Program m_program;
};

// Two windows with the same addresses are loaded once.
void mergeEqualLoads(Program &program, Kernel &kernel) {
    bool isTwice = false;
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
        for (std::size_t before = 0; before < i; ++before) {
            KernelInput same = kernel.inputs[i];
            same.buffer = kernel.inputs[before].buffer;
            const ProgramBuffer &one = program.buffers[static_cast<std::size_t>(same.buffer)];
            const ProgramBuffer &other = program.buffers[static_cast<std::size_t>(kernel.inputs[i].buffer)];
            if (same != kernel.inputs[before] || one.kind != ProgramBuffer::Kind::Window ||
                other.kind != one.kind || other.window != one.window)
                continue;
            isTwice = isTwice || same != kernel.inputs[i];
            kernel.inputs[i] = same;
        }
    if (!isTwice)
        return;
    kernel = loopSlice(kernel, 0, 0, kernel.loops[0]); // merges equal steps
    kernel.finish();
}

} // namespace

void fusePersistentLoops(Program &program) {
    for (std::size_t timeLoop = 0; timeLoop < program.timeLoops.size(); ++timeLoop) {
        if (program.timeLoops[timeLoop].count > 1 && program.timeLoops[timeLoop].count <= mostKernels)
            if (auto merged = PersistentLoopFusion(program).run(timeLoop))
                program = std::move(*merged);
        if (const std::size_t first = program.timeLoops[timeLoop].first; recurrenceMappingOf(program, first))
            mergeEqualLoads(program, program.kernels[first]);
    }
}

} // namespace warpwright
