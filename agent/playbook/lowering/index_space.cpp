// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/index_space.h"

#include <algorithm>

namespace warpwright {

IndexSpace::IndexSpace(Kernel &kernel) : m_kernel(kernel), m_sizes(kernel.loops) {}

AffineExpr IndexSpace::constant(std::int64_t value) const {
    return constantIndex(value, m_sizes.size());
}

std::pair<std::int64_t, std::int64_t> IndexSpace::rangeOf(const AffineExpr &index) const {
    return warpwright::rangeOf(index, m_sizes);
}

// An address that combines all digits of a number with their own weights, as in contiguous memory, uses the
// number itself.
AffineExpr IndexSpace::linearized(AffineExpr address) const {
    for (const Digits &digits : m_digits) {
        address.steps.resize(std::max(address.steps.size(), m_sizes.size()), 0);
        const auto [last, weight] = digits.positions.back();
        const std::int64_t factor = address.steps[last] / weight;
        const bool isComplete =
            factor != 0 &&
            std::all_of(digits.positions.begin(), digits.positions.end(), [&](const auto &digit) {
                return address.steps[digit.first] == factor * digit.second;
            });
        if (!isComplete)
            continue;
        for (const auto &[position, counts] : digits.positions)
            address.steps[position] = 0;
        address.offset += factor * digits.flat.offset;
        for (std::size_t k = 0; k < digits.flat.steps.size(); ++k)
            address.steps[k] += factor * digits.flat.steps[k];
    }
    return address;
}

int IndexSpace::load(int buffer, ElementType type, std::int64_t elements, const AffineExpr &where,
                     int guard) {
    const AffineExpr address = linearized(where);
    const std::size_t loops = m_kernel.loops.size();
    KernelInput input{buffer, type, address, {}, elements};
    input.address.steps.resize(loops, 0);
    std::vector<int> indices;
    for (std::size_t k = loops; k < address.steps.size(); ++k)
        if (address.steps[k] != 0) {
            input.strides.push_back(address.steps[k]);
            indices.push_back(m_dynamicSteps[k - loops]);
        }
    // An element that is the same in every iteration needs no condition.
    const bool isOne =
        input.strides.empty() && std::all_of(input.address.steps.begin(), input.address.steps.end(),
                                             [](std::int64_t step) { return step == 0; });
    return m_kernel.load(input, std::move(indices), isOne ? -1 : guard);
}

int IndexSpace::valueOf(const AffineExpr &index) {
    const std::size_t loops = m_kernel.loops.size();
    AffineExpr plain = index;
    plain.steps.resize(loops, 0);
    int value = m_kernel.index(plain);
    for (std::size_t k = loops; k < index.steps.size(); ++k) {
        if (index.steps[k] == 0)
            continue;
        const int part = m_kernel.add(Opcode::Multiply, ElementType::Int64,
                                      {m_dynamicSteps[k - loops], integerStep(m_kernel, index.steps[k])});
        const bool isOnly = plain.offset == 0 && m_kernel.levelOf(plain) == StepLevel::Constant &&
                            m_kernel.step(value).op == Opcode::Index;
        value = isOnly ? part : m_kernel.add(Opcode::Add, ElementType::Int64, {part, value});
    }
    return value;
}

AffineExpr IndexSpace::dynamicIndex(int step, std::int64_t size) {
    const KernelStep &what = m_kernel.step(step);
    if (what.op == Opcode::Index) // affine in the loop counters after all
        return what.index;
    if (what.op == Opcode::Number)
        return constant(static_cast<std::int64_t>(what.number));
    const auto known = std::find(m_dynamicSteps.begin(), m_dynamicSteps.end(), step);
    auto position = static_cast<std::size_t>(known - m_dynamicSteps.begin()) + m_kernel.loops.size();
    if (known != m_dynamicSteps.end() && m_sizes[position] != size)
        position = m_sizes.size();
    if (position == m_sizes.size()) {
        m_dynamicSteps.push_back(step);
        m_sizes.push_back(size);
    }
    AffineExpr index = constant(0);
    index.steps[position] = 1;
    return index;
}

std::optional<int> IndexSpace::within(const AffineExpr &index, std::int64_t first, std::int64_t end) {
    const auto [smallest, largest] = rangeOf(index);
    std::optional<int> above;
    std::optional<int> below;
    if (smallest < first)
        above = m_kernel.add(Opcode::LessOrEqual, ElementType::Bool,
                             {integerStep(m_kernel, first), valueOf(index)});
    if (largest >= end)
        below = m_kernel.add(Opcode::Less, ElementType::Bool, {valueOf(index), integerStep(m_kernel, end)});
    return conjunction(m_kernel, above, below);
}

AffineMap IndexSpace::digitsByDivision(const AffineExpr &flat, const Shape &shape) {
    const Shape strides = contiguousStrides(shape);
    const int flatValue = valueOf(flat);
    AffineMap map;
    Digits digits{flat, {}};
    bool areDynamic = true;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 1) {
            map.push_back(constant(0));
            continue;
        }
        int digit = flatValue;
        if (strides[d] > 1)
            digit =
                m_kernel.add(Opcode::Divide, ElementType::Int64, {digit, integerStep(m_kernel, strides[d])});
        const bool isFirst = elementCount(shape) == strides[d] * shape[d];
        if (!isFirst)
            digit = m_kernel.add(Opcode::Fmod, ElementType::Int64, {digit, integerStep(m_kernel, shape[d])});
        map.push_back(dynamicIndex(digit, shape[d]));
        const std::vector<std::int64_t> &steps = map.back().steps;
        const auto counter = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(m_kernel.loops.size()),
                                          steps.end(), [](std::int64_t step) { return step != 0; });
        areDynamic = areDynamic && counter != steps.end();
        digits.positions.emplace_back(counter - steps.begin(), strides[d]);
    }
    if (areDynamic && !digits.positions.empty())
        m_digits.push_back(std::move(digits));
    return map;
}

int integerStep(Kernel &kernel, std::int64_t value) {
    return kernel.number(static_cast<double>(value), ElementType::Int64);
}

std::optional<int> conjunction(Kernel &kernel, std::optional<int> one, std::optional<int> other) {
    if (!one || !other || *one == *other)
        return one ? one : other;
    return kernel.add(Opcode::And, ElementType::Bool, {*one, *other});
}

} // namespace warpwright
