// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_sliced_reductions.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/kernel_rewriter.h"

#include <algorithm>
#include <functional>
#include <map>

namespace warpwright {
namespace {

/// If a slice were less of the space, most iterations would be idle.
constexpr double leastOfSpace = 0.5;
/// Or a whole row, where slices have nearly all of it.
constexpr double mostOfRow = 1.2;

/// Only sum reductions in one loop over the row, with one result per row.
bool isSumReduction(const Kernel &kernel) {
    const bool areSums = std::all_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        return !isReduction(step.op) || step.op == Opcode::RowSum;
    });
    return kernel.isLoops() && !kernel.isScattered() && kernel.hasReductions() && areSums &&
           !kernel.hasScans() && !kernel.hasKthValues() && kernel.passCount() == 1 &&
           familyOf(kernel) == KernelFamily::Rows &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
               return kernel.levelOf(store.address) <= StepLevel::Row &&
                      kernel.step(store.step).level <= StepLevel::Row;
           });
}

/// The reduction loops split so that each has one of these strides: rows of pixels that a kernel fused into
/// one loop are rows and pixels again. Empty: they traverse that memory in another way.
std::optional<LoopParts> partsOf(const Kernel &kernel, const AffineExpr &address, const Shape &strides,
                                 Shape &extents) {
    extents.assign(strides.size(), 1);
    LoopParts parts(kernel.loops.size());
    for (std::size_t loop = kernel.outer; loop < kernel.loops.size(); ++loop) {
        std::int64_t iterations = kernel.loops[loop];
        const std::int64_t step = address.steps[loop];
        auto position =
            static_cast<std::size_t>(std::find(strides.begin(), strides.end(), step) - strides.begin());
        while (iterations > 1) {
            std::int64_t here = iterations; // of this stride, until the next larger one is reached
            if (position > 0 && iterations * strides[position] > strides[position - 1]) {
                here = strides[position - 1] / strides[position];
                if (strides[position - 1] % strides[position] != 0 || iterations % here != 0)
                    return std::nullopt;
            }
            if (extents[position] != 1) // windows that overlap
                return std::nullopt;
            extents[position] = here;
            parts[loop].insert(parts[loop].begin(), {kernel.outer + position, strides[position] / step});
            iterations /= here;
            if (iterations > 1)
                --position;
        }
    }
    return parts;
}

/// Copies a kernel's steps into the loops of a larger space, guarded by the bounds of its slice.
class SliceCopier {
public:
    SliceCopier(const Kernel &from, const LoopParts &parts, const Shape &extents, const Shape &loops)
        : m_from(from), m_parts(parts) {
        m_to.device = from.device;
        m_to.loops = loops;
        m_to.outer = from.outer;
        for (std::size_t k = 0; k < extents.size(); ++k)
            if (extents[k] < loops[from.outer + k])
                m_isInside = both(m_isInside, lessThan(from.outer + k, extents[k]));
        for (const KernelStep &step : from.steps) {
            if (step.op != Opcode::Load || step.isGuarded)
                continue;
            const KernelInput &input = from.inputs[static_cast<std::size_t>(step.input)];
            if (!input.isPlain())
                continue;
            const auto range = rangeOf(input.address, from.loops);
            const auto [known, isNew] = m_memory.try_emplace(input.buffer, range);
            known->second = {std::min(known->second.first, range.first),
                             std::max(known->second.second, range.second)};
        }
    }

    Kernel run() {
        for (KernelStep step : m_from.steps) {
            for (int &operand : step.operands)
                operand = m_newSteps[static_cast<std::size_t>(operand)];
            step.pass = 0;
            m_newSteps.push_back(step.op == Opcode::Load    ? loaded(step)
                                 : step.op == Opcode::Index ? m_to.index(moved(step.index))
                                 : isReduction(step.op)     ? summed(step)
                                                            : copied(step));
        }
        for (KernelStore store : m_from.stores) {
            store.step = m_newSteps[static_cast<std::size_t>(store.step)];
            store.address = moved(store.address);
            m_to.stores.push_back(std::move(store));
        }
        return std::move(m_to);
    }

private:
    [[nodiscard]] AffineExpr moved(const AffineExpr &index) const {
        return overParts(index, m_parts, m_to.loops.size());
    }

    int lessThan(std::size_t loop, std::int64_t end) {
        AffineExpr counter = constantIndex(0, m_to.loops.size());
        counter.steps[loop] = 1;
        return m_to.add(Opcode::Less, ElementType::Bool,
                        {m_to.index(counter), m_to.number(static_cast<double>(end), ElementType::Int64)});
    }

    int both(int one, int other) {
        return one < 0 || one == other ? other : m_to.add(Opcode::And, ElementType::Bool, {one, other});
    }

    int copied(KernelStep step) {
        step.level = StepLevel::Constant; // append() infers it from the operands
        return m_to.append(std::move(step));
    }

    // Outside the slice the address may be out of bounds; where it is not, the load is shared with others.
    int loaded(KernelStep step) {
        KernelInput input = m_from.inputs[static_cast<std::size_t>(step.input)];
        input.address = moved(input.address);
        const auto [smallest, largest] = rangeOf(input.address, m_to.loops);
        const auto memory = m_memory.find(input.buffer);
        const bool isMemory = input.isPlain() && memory != m_memory.end() &&
                              smallest >= memory->second.first && largest <= memory->second.second;
        const bool isOfRow = m_to.levelOf(input.address) <= StepLevel::Row && input.isPlain();
        const int before = step.isGuarded ? step.operands.back() : -1;
        if (step.isGuarded)
            step.operands.pop_back();
        const int guard = m_isInside < 0 || isMemory || isOfRow ? before
                          : before < 0                          ? m_isInside
                                                                : both(m_isInside, before);
        const int position = m_to.load(input, step.operands, guard);
        // Of the same type, and with the same value for a missing element.
        if (m_to.step(position).type == step.type && m_to.step(position).number == step.number)
            return position;
        KernelStep other = m_to.step(position);
        other.type = step.type;
        other.number = step.number;
        return m_to.append(std::move(other));
    }

    int summed(KernelStep step) {
        if (m_isInside >= 0)
            step.operands[0] = m_to.add(
                Opcode::Select, step.type,
                {m_isInside, m_to.converted(step.operands[0], step.type), m_to.number(0, step.type)});
        return copied(std::move(step));
    }

    const Kernel &m_from;
    const LoopParts &m_parts;
    Kernel m_to;
    int m_isInside = -1; ///< step; -1: the slice is the whole space
    std::vector<int> m_newSteps;
    std::map<int, std::pair<std::int64_t, std::int64_t>> m_memory; ///< range that is in bounds, by buffer
};

/// Whether each iteration over a row is at another element.
bool hasSteps(const Kernel &kernel, const AffineExpr &address) {
    return std::all_of(address.steps.begin() + static_cast<std::ptrdiff_t>(kernel.outer), address.steps.end(),
                       [](std::int64_t step) { return step > 0; });
}

// Both in the space that these addresses of one buffer span.
std::optional<Kernel> inOneSpace(const Kernel &first, const AffineExpr &firstAddress, const Kernel &second,
                                 const AffineExpr &secondAddress) {
    Shape strides;
    for (const auto &[kernel, address] :
         {std::pair(&first, &firstAddress), std::pair(&second, &secondAddress)})
        strides.insert(strides.end(), address->steps.begin() + static_cast<std::ptrdiff_t>(kernel->outer),
                       address->steps.end());
    std::sort(strides.begin(), strides.end(), std::greater<>());
    strides.erase(std::unique(strides.begin(), strides.end()), strides.end());
    Shape ofFirst;
    Shape ofSecond;
    auto firstParts = partsOf(first, firstAddress, strides, ofFirst);
    auto secondParts = partsOf(second, secondAddress, strides, ofSecond);
    if (!firstParts || !secondParts)
        return std::nullopt;
    Shape loops(first.loops.begin(), first.loops.begin() + static_cast<std::ptrdiff_t>(first.outer));
    std::int64_t whole = 1;
    for (std::size_t k = 0; k < strides.size(); ++k) {
        std::int64_t extent = std::max(ofFirst[k], ofSecond[k]);
        if (k > 0 && extent * strides[k] > strides[k - 1])
            return std::nullopt;
        // Rows of the memory have to be aligned to vectors.
        if (k > 0 && strides[k - 1] % strides[k] == 0 &&
            static_cast<double>(strides[k - 1] / strides[k]) <= mostOfRow * static_cast<double>(extent))
            extent = strides[k - 1] / strides[k];
        loops.push_back(extent);
        whole *= extent;
    }
    if (static_cast<double>(std::min(first.columns(), second.columns())) <
        leastOfSpace * static_cast<double>(whole))
        return std::nullopt;
    for (std::size_t k = 0; k < first.outer; ++k)
        for (LoopParts *parts : {&*firstParts, &*secondParts})
            (*parts)[k] = {{k, 1}};
    const Kernel one = SliceCopier(first, *firstParts, ofFirst, loops).run();
    const Kernel other = SliceCopier(second, *secondParts, ofSecond, loops).run();
    AlignedLoops same{loops, first.outer, {}, {}};
    for (std::size_t k = 0; k < loops.size(); ++k)
        same.first.push_back({{k, 1}});
    same.second = same.first;
    std::optional<Kernel> both = fusedIn(same, one, other);
    if (both)
        both->finish();
    return both;
}

} // namespace

std::optional<Kernel> fuseSlicedReductions(const Kernel &first, const Kernel &second) {
    if (!isSumReduction(first) || !isSumReduction(second) || first.outer != second.outer ||
        !std::equal(first.loops.begin(), first.loops.begin() + static_cast<std::ptrdiff_t>(first.outer),
                    second.loops.begin()))
        return std::nullopt;
    for (const KernelInput &input : first.inputs)
        for (const KernelInput &other : second.inputs)
            if (input.buffer == other.buffer && input.isPlain() && other.isPlain() &&
                hasSteps(first, input.address) && hasSteps(second, other.address) &&
                std::equal(input.address.steps.begin(),
                           input.address.steps.begin() + static_cast<std::ptrdiff_t>(first.outer),
                           other.address.steps.begin()))
                if (auto both = inOneSpace(first, input.address, second, other.address))
                    return both;
    return std::nullopt;
}

} // namespace warpwright
