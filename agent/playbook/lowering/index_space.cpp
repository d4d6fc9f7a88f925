// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/index_space.h"

#include <algorithm>

namespace warpwright {

IndexSpace::IndexSpace(FusedKernel &kernel) : m_kernel(kernel), m_sizes(kernel.loops) {}

AffineIndex IndexSpace::constant(std::int64_t value) const {
    return constantIndex(value, m_sizes.size());
}

std::pair<std::int64_t, std::int64_t> IndexSpace::rangeOf(const AffineIndex &index) const {
    return warpwright::rangeOf(index, m_sizes);
}

// Where all digits of a number are put together again, as they are of memory that lies in order, it is that
// number.
AffineIndex IndexSpace::withoutDigits(AffineIndex address) const {
    for (const Digits &digits : m_digits) {
        address.steps.resize(std::max(address.steps.size(), m_sizes.size()), 0);
        const auto [last, weight] = digits.places.back();
        const std::int64_t factor = address.steps[last] / weight;
        const bool isWhole =
            factor != 0 && std::all_of(digits.places.begin(), digits.places.end(), [&](const auto &digit) {
                return address.steps[digit.first] == factor * digit.second;
            });
        if (!isWhole)
            continue;
        for (const auto &[place, counts] : digits.places)
            address.steps[place] = 0;
        address.offset += factor * digits.flat.offset;
        for (std::size_t k = 0; k < digits.flat.steps.size(); ++k)
            address.steps[k] += factor * digits.flat.steps[k];
    }
    return address;
}

int IndexSpace::load(int buffer, ElementType type, std::int64_t elements, const AffineIndex &where,
                     int guard) {
    const AffineIndex address = withoutDigits(where);
    const std::size_t loops = m_kernel.loops.size();
    KernelLeaf leaf{buffer, type, address, {}, elements};
    leaf.address.steps.resize(loops, 0);
    std::vector<int> indices;
    for (std::size_t k = loops; k < address.steps.size(); ++k)
        if (address.steps[k] != 0) {
            leaf.strides.push_back(address.steps[k]);
            indices.push_back(m_counted[k - loops]);
        }
    // What is there for every counter needs no condition.
    const bool isOne =
        leaf.strides.empty() && std::all_of(leaf.address.steps.begin(), leaf.address.steps.end(),
                                            [](std::int64_t step) { return step == 0; });
    return m_kernel.load(leaf, std::move(indices), isOne ? -1 : guard);
}

int IndexSpace::valueOf(const AffineIndex &index) {
    const std::size_t loops = m_kernel.loops.size();
    AffineIndex plain = index;
    plain.steps.resize(loops, 0);
    int value = m_kernel.index(plain);
    for (std::size_t k = loops; k < index.steps.size(); ++k) {
        if (index.steps[k] == 0)
            continue;
        const int part = m_kernel.add(KernelOp::Multiply, ElementType::Int64,
                                      {m_counted[k - loops], integerStep(m_kernel, index.steps[k])});
        const bool isOnly = plain.offset == 0 && m_kernel.levelOf(plain) == StepLevel::Constant &&
                            m_kernel.step(value).op == KernelOp::Index;
        value = isOnly ? part : m_kernel.add(KernelOp::Add, ElementType::Int64, {part, value});
    }
    return value;
}

AffineIndex IndexSpace::countedBy(int step, std::int64_t size) {
    const KernelStep &what = m_kernel.step(step);
    if (what.op == KernelOp::Index) // the loops' counters say it after all
        return what.index;
    if (what.op == KernelOp::Number)
        return constant(static_cast<std::int64_t>(what.number));
    const auto known = std::find(m_counted.begin(), m_counted.end(), step);
    auto place = static_cast<std::size_t>(known - m_counted.begin()) + m_kernel.loops.size();
    if (known != m_counted.end() && m_sizes[place] != size)
        place = m_sizes.size();
    if (place == m_sizes.size()) {
        m_counted.push_back(step);
        m_sizes.push_back(size);
    }
    AffineIndex index = constant(0);
    index.steps[place] = 1;
    return index;
}

std::optional<int> IndexSpace::within(const AffineIndex &index, std::int64_t first, std::int64_t end) {
    const auto [smallest, largest] = rangeOf(index);
    std::optional<int> above;
    std::optional<int> below;
    if (smallest < first)
        above = m_kernel.add(KernelOp::LessOrEqual, ElementType::Bool,
                             {integerStep(m_kernel, first), valueOf(index)});
    if (largest >= end)
        below = m_kernel.add(KernelOp::Less, ElementType::Bool, {valueOf(index), integerStep(m_kernel, end)});
    return conjunction(m_kernel, above, below);
}

IndexMap IndexSpace::digitsByDivision(const AffineIndex &flat, const Shape &shape) {
    const Shape strides = contiguousStrides(shape);
    const int whole = valueOf(flat);
    IndexMap map;
    Digits digits{flat, {}};
    bool areCounted = true;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 1) {
            map.push_back(constant(0));
            continue;
        }
        int digit = whole;
        if (strides[d] > 1)
            digit = m_kernel.add(KernelOp::Divide, ElementType::Int64,
                                 {digit, integerStep(m_kernel, strides[d])});
        const bool isFirst = elementCount(shape) == strides[d] * shape[d];
        if (!isFirst)
            digit = m_kernel.add(KernelOp::TruncatedRemainder, ElementType::Int64,
                                 {digit, integerStep(m_kernel, shape[d])});
        map.push_back(countedBy(digit, shape[d]));
        const std::vector<std::int64_t> &steps = map.back().steps;
        const auto counter = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(m_kernel.loops.size()),
                                          steps.end(), [](std::int64_t step) { return step != 0; });
        areCounted = areCounted && counter != steps.end();
        digits.places.emplace_back(counter - steps.begin(), strides[d]);
    }
    if (areCounted && !digits.places.empty())
        m_digits.push_back(std::move(digits));
    return map;
}

int integerStep(FusedKernel &kernel, std::int64_t value) {
    return kernel.number(static_cast<double>(value), ElementType::Int64);
}

std::optional<int> conjunction(FusedKernel &kernel, std::optional<int> one, std::optional<int> other) {
    if (!one || !other || *one == *other)
        return one ? one : other;
    return kernel.add(KernelOp::And, ElementType::Bool, {*one, *other});
}

} // namespace warpwright
