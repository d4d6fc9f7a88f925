// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/recurrence_mapping.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/transpose_tile.h"

#include <algorithm>
#include <bit>

namespace warpwright {
namespace {

constexpr std::int64_t mostThreadsPerRow = 32;
constexpr std::int64_t mostElements = 16;      ///< of a row per thread
constexpr std::int64_t elementRegisters = 96;  ///< for all that a thread caches of its elements
constexpr std::int64_t prefetchRegisters = 48; ///< for prefetched inputs
constexpr std::int64_t mostPrefetchDepth = 8;
constexpr std::int64_t enoughThreads = 32768; ///< eight warps on each of an H100's SMs
constexpr std::int64_t mostThreads = std::int64_t(1) << 30;
constexpr std::int64_t vecBytes = 16;

const ProgramBuffer &bufferOf(const Program &program, int buffer) {
    return program.buffers[static_cast<std::size_t>(buffer)];
}

// The same element of the same memory, one time step apart.
bool isOwnElement(const Program &program, const KernelInput &input, const KernelStore &store) {
    const ProgramBuffer &from = bufferOf(program, input.buffer);
    const ProgramBuffer &to = bufferOf(program, store.buffer);
    return input.isPlain() && input.address == store.address && input.type == store.type &&
           from.kind == ProgramBuffer::Kind::Window && to.kind == ProgramBuffer::Kind::Window &&
           from.window.offset == to.window.offset && from.window.step == to.window.step &&
           from.window.ring == to.window.ring && to.window.first == from.window.first + 1;
}

/// Chooses how a kernel's rows are mapped to threads.
class MappingBuilder {
public:
    MappingBuilder(const Program &program, const Kernel &kernel, std::int64_t timeSteps)
        : m_program(program), m_kernel(kernel), m_timeSteps(timeSteps) {}

    [[nodiscard]] std::optional<RecurrenceMapping> run() const {
        if (!isPlain() || !readsOnlyOwnElements(m_program, m_kernel))
            return std::nullopt;
        RecurrenceMapping mapping;
        mapping.width = width();
        const std::int64_t vecs = m_kernel.columns() / mapping.width;
        if (m_kernel.hasReductions()) {
            mapping.areRowsAdjacent = mapping.width == 1 && areRowsAdjacent();
            const auto threadsPerRow = threadsPerRowOf(vecs, mapping);
            if (!threadsPerRow)
                return std::nullopt;
            mapping.threadsPerRow = *threadsPerRow;
            mapping.vecs = (vecs + *threadsPerRow - 1) / *threadsPerRow;
        } else {
            mapping.threadsPerRow = vecs;
        }
        if (m_kernel.rows() * mapping.threadsPerRow > mostThreads)
            return std::nullopt;
        const std::int64_t slices = counted(&MappingBuilder::isSlice, false) * mapping.vecs * mapping.width +
                                    counted(&MappingBuilder::isSlice, true);
        mapping.prefetchDepth =
            static_cast<int>(std::clamp(prefetchRegisters / std::max<std::int64_t>(slices, 1),
                                        std::int64_t(1), std::min(mostPrefetchDepth, m_timeSteps)));
        return mapping;
    }

private:
    [[nodiscard]] bool isPlain() const {
        const bool isOurs = m_kernel.isLoops() && !m_kernel.isScattered() && !m_kernel.isRowPerThread &&
                            !m_kernel.hasScans() && !m_kernel.hasKthValues() && !m_kernel.loops.empty() &&
                            !transposeTileOf(m_kernel);
        return isOurs &&
               std::all_of(m_kernel.steps.begin(), m_kernel.steps.end(),
                           [](const KernelStep &step) {
                               const bool isFloat =
                                   step.type == ElementType::Float32 || step.type == ElementType::Float64;
                               return (step.op != Opcode::Load || step.operands.empty()) &&
                                      (!isReduction(step.op) || isFloat);
                           }) &&
               std::all_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                           [](const KernelStore &store) { return store.every.empty(); }) &&
               std::all_of(m_kernel.inputs.begin(), m_kernel.inputs.end(), [this](const KernelInput &input) {
                   return input.isPlain() &&
                          (bufferOf(m_program, input.buffer).window.ring == 0 || isState(input));
               });
    }

    [[nodiscard]] bool isState(const KernelInput &input) const {
        return std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(), [&](const KernelStore &store) {
            return m_program.memoryOf(store.buffer) == m_program.memoryOf(input.buffer);
        });
    }
    [[nodiscard]] bool isSlice(const KernelInput &input) const {
        return !isState(input) && bufferOf(m_program, input.buffer).window.step != 0;
    }
    [[nodiscard]] bool isInvariant(const KernelInput &input) const {
        return !isState(input) && !isSlice(input);
    }
    [[nodiscard]] bool isOfRow(const AffineExpr &address) const {
        return m_kernel.levelOf(address) < StepLevel::Column;
    }
    [[nodiscard]] std::int64_t counted(bool (MappingBuilder::*is)(const KernelInput &) const,
                                       bool areRows) const {
        return std::count_if(m_kernel.inputs.begin(), m_kernel.inputs.end(), [&](const KernelInput &input) {
            return isOfRow(input.address) == areRows && (this->*is)(input);
        });
    }

    [[nodiscard]] bool isWide(const AffineExpr &address, ElementType type, int width) const {
        return isOfRow(address) || (width * bytesOf(type) <= vecBytes && address.steps.back() == 1 &&
                                    address.offset % width == 0 && m_kernel.loops.back() % width == 0 &&
                                    std::all_of(address.steps.begin(), address.steps.end() - 1,
                                                [width](std::int64_t step) { return step % width == 0; }));
    }
    [[nodiscard]] int width() const {
        for (const int width : {4, 2})
            if (std::all_of(
                    m_kernel.inputs.begin(), m_kernel.inputs.end(),
                    [&](const KernelInput &input) { return isWide(input.address, input.type, width); }) &&
                std::all_of(m_kernel.stores.begin(), m_kernel.stores.end(), [&](const KernelStore &store) {
                    return isWide(store.address, store.type, width);
                }))
                return width;
        return 1;
    }

    /// A row's elements are strided, and neighbouring rows adjacent.
    [[nodiscard]] bool areRowsAdjacent() const {
        return m_kernel.outer > 0 &&
               std::any_of(m_kernel.inputs.begin(), m_kernel.inputs.end(), [this](const KernelInput &input) {
                   return !isOfRow(input.address) && input.address.steps[m_kernel.outer - 1] == 1 &&
                          input.address.steps.back() != 1;
               });
    }

    /// As few threads per row as keep a device busy: threads that share a row have to combine its sums, and
    /// each of them repeats its scalar work.
    [[nodiscard]] std::optional<std::int64_t> threadsPerRowOf(std::int64_t vecs,
                                                              const RecurrenceMapping &mapping) const {
        const std::vector<int> cachedSteps = scheduleOf(m_kernel, RowCaching::All).cached;
        const std::int64_t cached = std::count_if(cachedSteps.begin(), cachedSteps.end(), [this](int step) {
            return m_kernel.step(step).op != Opcode::Load; // in registers anyway
        });
        const std::int64_t ofElement = std::max<std::int64_t>(
            2 * counted(&MappingBuilder::isState, false) + counted(&MappingBuilder::isInvariant, false) +
                2 * counted(&MappingBuilder::isSlice, false) + cached,
            1);
        const std::int64_t most =
            std::max<std::int64_t>(std::min(mostElements, elementRegisters / ofElement) / mapping.width, 1);
        const auto fewest =
            static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>((vecs + most - 1) / most)));
        if (fewest > mostThreadsPerRow)
            return std::nullopt;
        const auto useful = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(vecs)));
        std::int64_t threadsPerRow = fewest;
        while (m_kernel.rows() * threadsPerRow < enoughThreads &&
               2 * threadsPerRow <= std::min(useful, mostThreadsPerRow))
            threadsPerRow *= 2;
        return threadsPerRow;
    }

    const Program &m_program;
    const Kernel &m_kernel;
    std::int64_t m_timeSteps;
};

} // namespace

bool readsOnlyOwnElements(const Program &program, const Kernel &kernel) {
    for (const KernelInput &input : kernel.inputs)
        for (const KernelStore &store : kernel.stores)
            if (program.memoryOf(input.buffer) == program.memoryOf(store.buffer) &&
                !isOwnElement(program, input, store))
                return false;
    return true;
}

std::int64_t timeStepsOfKernel(const Program &program, std::size_t kernel) {
    for (const TimeLoop &timeLoop : program.timeLoops)
        if (timeLoop.first == kernel && timeLoop.count == 1)
            return timeLoop.timeSteps;
    return 1;
}

std::optional<RecurrenceMapping> recurrenceMappingOf(const Program &program, std::size_t kernel) {
    const std::int64_t timeSteps = timeStepsOfKernel(program, kernel);
    return timeSteps > 1 ? MappingBuilder(program, program.kernels[kernel], timeSteps).run() : std::nullopt;
}

std::int64_t persistentTimeSteps(const Program &program, std::size_t kernel) {
    if (recurrenceMappingOf(program, kernel))
        return timeStepsOfKernel(program, kernel);
    const Kernel &what = program.kernels[kernel];
    const bool isPointwise = what.isLoops() && !what.isScattered() &&
                             familyOf(what) == KernelFamily::Pointwise && !transposeTileOf(what);
    return isPointwise && readsOnlyOwnElements(program, what) ? timeStepsOfKernel(program, kernel) : 1;
}

} // namespace warpwright
