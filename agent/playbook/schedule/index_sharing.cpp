// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/index_sharing.h"

#include "agent/playbook/analysis/instruction_cost.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int leastShared = 14;       ///< instructions, about, that a row must share
constexpr std::int64_t mostOfRow = 8; ///< elements: beyond it sharing gains little
constexpr std::int64_t leastOfRow = 3;
constexpr std::int64_t leastThreads = 128 * 1024; ///< to keep a GPU's SMs busy

int sharedAlong(const Kernel &kernel, std::size_t loop) {
    const std::vector<bool> differs = differsAlong(kernel, loop);
    int shared = 0;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        shared += differs[i] ? 0 : costOf(kernel, kernel.steps[i]);
    return shared;
}

/// The largest part of a loop that divides it.
std::int64_t partOf(std::int64_t loop) {
    for (std::int64_t part = mostOfRow; part >= leastOfRow; --part)
        if (loop % part == 0)
            return part;
    return 1;
}

/// The kernel with one loop split into parts, the elements of a part innermost.
class LoopSplitter {
public:
    LoopSplitter(const Kernel &kernel, std::size_t loop, std::int64_t part)
        : m_kernel(kernel), m_loop(loop), m_part(part) {}

    Kernel run() const {
        Kernel split;
        split.device = m_kernel.device;
        split.isRowPerThread = true;
        split.loops = m_kernel.loops;
        split.loops[m_loop] /= m_part;
        split.loops.push_back(m_part);
        split.outer = m_kernel.loops.size();
        for (KernelInput input : m_kernel.inputs) {
            input.address = indexOf(input.address);
            split.inputs.push_back(input);
        }
        std::vector<int> positions;
        for (KernelStep step : m_kernel.steps) {
            for (int &operand : step.operands)
                operand = positions[static_cast<std::size_t>(operand)];
            step.level = StepLevel::Constant;
            if (step.op == Opcode::Index) {
                step.index = indexOf(step.index);
                step.level = split.levelOf(step.index);
            } else if (step.op == Opcode::Load) {
                step.level = split.levelOf(split.inputs[static_cast<std::size_t>(step.input)].address);
            }
            positions.push_back(split.append(std::move(step)));
        }
        for (KernelStore store : m_kernel.stores) {
            store.step = positions[static_cast<std::size_t>(store.step)];
            store.address = indexOf(store.address);
            split.stores.push_back(store);
        }
        return split;
    }

private:
    AffineExpr indexOf(AffineExpr index) const {
        const std::int64_t step = index.steps[m_loop];
        index.steps[m_loop] = step * m_part;
        index.steps.push_back(step);
        return index;
    }

    const Kernel &m_kernel;
    std::size_t m_loop;
    std::int64_t m_part;
};

} // namespace

std::vector<bool> differsAlong(const Kernel &kernel, std::size_t loop) {
    std::vector<bool> differs;
    for (const KernelStep &step : kernel.steps) {
        bool here = step.op == Opcode::Index && step.index.steps[loop] != 0;
        if (step.op == Opcode::Load)
            here = kernel.inputs[static_cast<std::size_t>(step.input)].address.steps[loop] != 0;
        for (const int operand : step.operands)
            here = here || differs[static_cast<std::size_t>(operand)];
        differs.push_back(here);
    }
    return differs;
}

std::optional<Kernel> withSharedIndices(const Kernel &kernel) {
    const bool isPointwise = kernel.isLoops() && !kernel.isScattered() && !kernel.hasReductions();
    // Loads at affine addresses are vectorized, and that is worth more.
    const bool isSomewhere = std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                                         [](const KernelInput &input) { return !input.isPlain(); });
    if (!isPointwise || !isSomewhere || kernel.isRowPerThread || kernel.loops.size() < 2)
        return std::nullopt;
    int all = 0;
    for (const KernelStep &step : kernel.steps)
        all += costOf(kernel, step);
    std::optional<std::size_t> best;
    int most = std::max(leastShared, all / 2);
    for (std::size_t k = 0; k + 1 < kernel.loops.size(); ++k) {
        const std::int64_t part = partOf(kernel.loops[k]);
        const bool isEach =
            std::all_of(kernel.stores.begin(), kernel.stores.end(),
                        [k](const KernelStore &store) { return store.address.steps[k] != 0; });
        if (part == 1 || !isEach || elementCount(kernel.loops) / part < leastThreads)
            continue;
        if (const int shared = sharedAlong(kernel, k); shared >= most) {
            most = shared + 1;
            best = k;
        }
    }
    return best ? std::optional(LoopSplitter(kernel, *best, partOf(kernel.loops[*best])).run())
                : std::nullopt;
}

} // namespace warpwright
