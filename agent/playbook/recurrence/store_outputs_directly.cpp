// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/store_outputs_directly.h"

#include "agent/playbook/analysis/matmul_pattern.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that vector stores need

class DirectOutputStores {
public:
    explicit DirectOutputStores(Program &program) : m_program(program) {}

    /// Whether a copy was removed.
    bool run() {
        for (std::size_t i = 0; i < m_program.kernels.size(); ++i)
            if (isCopyOfStates(m_program.kernels[i]) && m_program.timeStepsOf(i) == 1 && replaceCopy(i))
                return true;
        return false;
    }

private:
    [[nodiscard]] const ProgramBuffer &at(int buffer) const {
        return m_program.buffers[static_cast<std::size_t>(buffer)];
    }

    [[nodiscard]] bool isCopyOfStates(const Kernel &kernel) const {
        if (!kernel.isLoops() || kernel.stores.size() != 1 || kernel.inputs.size() != 1 ||
            kernel.isScattered() || !isPlainLoad(kernel, kernel.stores[0].step))
            return false;
        const KernelStore &store = kernel.stores[0];
        const KernelInput &input = kernel.inputs[0];
        const ProgramBuffer &from = at(input.buffer);
        return input.isPlain() && input.type == store.type &&
               at(store.buffer).kind == ProgramBuffer::Kind::Output &&
               from.kind == ProgramBuffer::Kind::Window && from.window.step == 0 && from.window.ring == 0 &&
               at(from.window.buffer).kind == ProgramBuffer::Kind::Temporary;
    }

    /// The copy with those loops reversed that read states backwards.
    [[nodiscard]] static Kernel readingForwards(Kernel copy) {
        AffineExpr &read = copy.inputs[0].address;
        AffineExpr &written = copy.stores[0].address;
        for (std::size_t k = 0; k < copy.loops.size(); ++k) {
            if (read.steps[k] >= 0)
                continue;
            for (AffineExpr *index : {&read, &written}) {
                index->offset += (copy.loops[k] - 1) * index->steps[k];
                index->steps[k] = -index->steps[k];
            }
        }
        return copy;
    }

    bool replaceCopy(std::size_t copyIndex) {
        const Kernel copy = readingForwards(m_program.kernels[copyIndex]);
        const std::int64_t begin = copy.stores[0].address.offset;
        if (copy.inputs[0].address.offset != 0 || begin * bytesOf(copy.stores[0].type) % alignedBytes != 0)
            return false;
        const TimeStepWindow from = at(copy.inputs[0].buffer).window;
        for (const TimeLoop &timeLoop : m_program.timeLoops)
            for (std::size_t i = timeLoop.first; i < timeLoop.first + timeLoop.count && i < copyIndex; ++i)
                for (const KernelStore &store : m_program.kernels[i].stores) {
                    const ProgramBuffer state = at(store.buffer);
                    const TimeStepWindow &window = state.window;
                    const bool isCopied = state.kind == ProgramBuffer::Kind::Window && window.ring == 0 &&
                                          window.buffer == from.buffer && window.step > 0 &&
                                          from.offset == window.offset + window.first * window.step;
                    if (!isCopied)
                        continue;
                    const auto target =
                        targetOf(copy, m_program.kernels[i], store, window.step, timeLoop.timeSteps);
                    if (!target)
                        return false;
                    const KernelStore more{store.step, static_cast<int>(m_program.buffers.size()), store.type,
                                           target->address};
                    ProgramBuffer result = state;
                    result.window = {copy.stores[0].buffer, begin, target->timeStepStride, 0, 0};
                    m_program.buffers.push_back(result);
                    m_program.kernels[i].stores.push_back(more);
                    const std::int64_t slot = window.step;
                    drop(copyIndex);
                    if (isRead(from.buffer))
                        makeRing(from.buffer, timeLoop, slot);
                    else
                        std::erase_if(m_program.kernels[i].stores, [&](const KernelStore &some) {
                            return m_program.memoryOf(some.buffer) == from.buffer;
                        });
                    return true;
                }
        return false;
    }

    struct Target {
        AffineExpr address;
        std::int64_t timeStepStride = 0;
    };

    /// Where the copy puts what a time step stores; empty: its loops do not match, or it is not contiguous.
    [[nodiscard]] static std::optional<Target> targetOf(const Kernel &copy, const Kernel &kernel,
                                                        const KernelStore &store, std::int64_t slot,
                                                        std::int64_t timeSteps) {
        const bool isOfRows = kernel.hasReductions(); // then the state is a result of the row
        if (!kernel.isLoops() || kernel.isScattered() || store.address.offset != 0 ||
            store.type != copy.stores[0].type ||
            (isOfRows && kernel.levelOf(store.address) >= StepLevel::Column))
            return std::nullopt;
        // Each element of each state is copied once, and this kernel computes all of them.
        const std::size_t loops = isOfRows ? kernel.outer : kernel.loops.size();
        bool isOnce = elementCount(copy.loops) == timeSteps * slot &&
                      (isOfRows ? kernel.rows() : elementCount(kernel.loops)) == slot;
        for (std::size_t k = 0; k < copy.loops.size(); ++k)
            isOnce = isOnce && (copy.loops[k] == 1 || copy.inputs[0].address.steps[k] > 0);
        if (!isOnce)
            return std::nullopt;
        // The copy's stride for `count` elements that are `step` apart in a state.
        const auto copiedStride = [&copy](std::int64_t step,
                                          std::int64_t count) -> std::optional<std::int64_t> {
            for (std::size_t k = 0; k < copy.loops.size(); ++k) {
                const std::int64_t own = copy.inputs[0].address.steps[k];
                if (own > 0 && step % own == 0 && step * count <= own * copy.loops[k])
                    return step / own * copy.stores[0].address.steps[k];
            }
            return std::nullopt;
        };
        const auto timeStepStride = copiedStride(slot, timeSteps);
        if (!timeStepStride || *timeStepStride * bytesOf(store.type) % alignedBytes != 0)
            return std::nullopt;
        Target target{store.address, *timeStepStride};
        for (std::size_t k = 0; k < loops; ++k) {
            if (kernel.loops[k] == 1)
                continue;
            const auto step = copiedStride(store.address.steps[k], kernel.loops[k]);
            const bool isAlong = store.address.steps[k] == 1;
            if (!step || store.address.steps[k] == 0 || (isAlong && *step != 1))
                return std::nullopt;
            target.address.steps[k] = *step;
        }
        return target;
    }

    [[nodiscard]] bool isRead(int memory) const {
        return std::any_of(m_program.kernels.begin(), m_program.kernels.end(), [&](const Kernel &kernel) {
            return std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
                return m_program.memoryOf(input.buffer) == memory;
            });
        });
    }

    void drop(std::size_t kernel) {
        m_program.kernels.erase(m_program.kernels.begin() + static_cast<std::ptrdiff_t>(kernel));
        for (TimeLoop &timeLoop : m_program.timeLoops)
            if (timeLoop.first > kernel)
                --timeLoop.first;
    }

    // A time step reads only the state before and writes the one after.
    void makeRing(int history, const TimeLoop &timeLoop, std::int64_t slot) {
        std::vector<int> windows;
        for (std::size_t i = 0; i < m_program.kernels.size(); ++i) {
            const Kernel &kernel = m_program.kernels[i];
            const bool isOfTimeSteps = i >= timeLoop.first && i < timeLoop.first + timeLoop.count;
            std::vector<int> buffers;
            for (const KernelInput &input : kernel.inputs)
                buffers.push_back(input.buffer);
            for (const KernelStore &store : kernel.stores)
                buffers.push_back(store.buffer);
            for (const int buffer : buffers) {
                if (m_program.memoryOf(buffer) != history)
                    continue;
                const ProgramBuffer &what = at(buffer);
                const TimeStepWindow &window = what.window;
                const bool isFirst = what.kind == ProgramBuffer::Kind::Window && window.step == 0 &&
                                     window.offset == 0 && window.ring == 0 && i < timeLoop.first;
                const bool isInTimeSteps = isOfTimeSteps && what.kind == ProgramBuffer::Kind::Window &&
                                           window.step == slot && window.offset == 0 && window.ring == 0 &&
                                           window.first <= 1;
                if (!isFirst && !isInTimeSteps)
                    return;
                if (isInTimeSteps)
                    windows.push_back(buffer);
            }
        }
        if (timeLoop.timeSteps < 2)
            return;
        for (const int buffer : windows)
            m_program.buffers[static_cast<std::size_t>(buffer)].window.ring = 2;
        m_program.buffers[static_cast<std::size_t>(history)].layout.memory = {2, slot};
    }

    Program &m_program;
};

} // namespace

void storeOutputsDirectly(Program &program) {
    while (DirectOutputStores(program).run()) {
    }
}

} // namespace warpwright
