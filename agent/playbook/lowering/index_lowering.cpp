// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's places: reading where steps say, conditions under which something is there.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>
#include <functional>

namespace warpwright {

KernelLowering::Guard::Guard(KernelLowering &lowering, int condition)
    : m_lowering(lowering), m_before(lowering.m_guard) {
    if (condition >= 0)
        lowering.m_guard = lowering.both(m_before < 0 ? std::nullopt : std::optional(m_before), condition);
}

KernelLowering::Guard::~Guard() {
    m_lowering.m_guard = m_before;
}

// Where all digits of a number are put together again, as they are of memory that lies in order, it is that
// number.
AffineIndex KernelLowering::withoutDigits(AffineIndex address) const {
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

int KernelLowering::loadFrom(int buffer, const GraphNode &node, const AffineIndex &where) {
    const AffineIndex address = withoutDigits(where);
    const std::size_t loops = m_kernel.loops.size();
    KernelLeaf leaf{buffer, node.type, address, {}, elementCount(node.shape)};
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
    return m_kernel.load(leaf, std::move(indices), isOne ? -1 : m_guard);
}

int KernelLowering::valueOf(const AffineIndex &index) {
    const std::size_t loops = m_kernel.loops.size();
    AffineIndex plain = index;
    plain.steps.resize(loops, 0);
    int value = m_kernel.index(plain);
    for (std::size_t k = loops; k < index.steps.size(); ++k) {
        if (index.steps[k] == 0)
            continue;
        const int part = m_kernel.add(
            KernelOp::Multiply, ElementType::Int64,
            {m_counted[k - loops], m_kernel.number(static_cast<double>(index.steps[k]), ElementType::Int64)});
        const bool isOnly = plain.offset == 0 && m_kernel.levelOf(plain) == StepLevel::Constant &&
                            m_kernel.step(value).op == KernelOp::Index;
        value = isOnly ? part : m_kernel.add(KernelOp::Add, ElementType::Int64, {part, value});
    }
    return value;
}

AffineIndex KernelLowering::countedBy(int step, std::int64_t size) {
    const KernelStep &what = m_kernel.step(step);
    if (what.op == KernelOp::Index) // the loops' counters say it after all
        return what.index;
    if (what.op == KernelOp::Number)
        return constantIndex(static_cast<std::int64_t>(what.number), m_sizes.size());
    const auto known = std::find(m_counted.begin(), m_counted.end(), step);
    auto place = static_cast<std::size_t>(known - m_counted.begin()) + m_kernel.loops.size();
    if (known != m_counted.end() && m_sizes[place] != size)
        place = m_sizes.size();
    if (place == m_sizes.size()) {
        m_counted.push_back(step);
        m_sizes.push_back(size);
    }
    AffineIndex index = constantIndex(0, m_sizes.size());
    index.steps[place] = 1;
    return index;
}

std::pair<std::int64_t, std::int64_t> KernelLowering::rangeOf(const AffineIndex &index) const {
    return warpwright::rangeOf(index, m_sizes);
}

std::optional<int> KernelLowering::within(const AffineIndex &index, std::int64_t first, std::int64_t end) {
    const auto [smallest, largest] = rangeOf(index);
    const auto number = [this](std::int64_t value) {
        return m_kernel.number(static_cast<double>(value), ElementType::Int64);
    };
    std::optional<int> above;
    std::optional<int> below;
    if (smallest < first)
        above = m_kernel.add(KernelOp::LessOrEqual, ElementType::Bool, {number(first), valueOf(index)});
    if (largest >= end)
        below = m_kernel.add(KernelOp::Less, ElementType::Bool, {valueOf(index), number(end)});
    const int condition = both(above, below);
    return condition < 0 ? std::nullopt : std::optional(condition);
}

int KernelLowering::both(std::optional<int> one, std::optional<int> other) {
    if (!one || !other || *one == *other)
        return one.value_or(other.value_or(-1));
    return m_kernel.add(KernelOp::And, ElementType::Bool, {*one, *other});
}

IndexMap KernelLowering::digitsByDivision(const AffineIndex &flat, const Shape &shape) {
    const Shape strides = contiguousStrides(shape);
    const auto number = [this](std::int64_t value) {
        return m_kernel.number(static_cast<double>(value), ElementType::Int64);
    };
    const int whole = valueOf(flat);
    IndexMap map;
    Digits digits{flat, {}};
    bool areCounted = true;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 1) {
            map.push_back(constantIndex(0, m_sizes.size()));
            continue;
        }
        int digit = whole;
        if (strides[d] > 1)
            digit = m_kernel.add(KernelOp::Divide, ElementType::Int64, {digit, number(strides[d])});
        const bool isFirst = elementCount(shape) == strides[d] * shape[d];
        if (!isFirst)
            digit = m_kernel.add(KernelOp::TruncatedRemainder, ElementType::Int64, {digit, number(shape[d])});
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

// Tens of instructions, on the way from memory to the node: not to be done anew for each window.
bool KernelLowering::isCostly(int node) const {
    std::set<int> seen;
    const std::function<bool(int)> visit = [&](int place) {
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(place)];
        if (what.kind != GraphNode::Kind::Operator || m_known.contains(place) || !seen.insert(place).second)
            return false;
        const auto plain = plainOp(what.op);
        const bool hasWindows = what.op.contains(QLatin1String("_pool"));
        if ((plain && isExpensive(*plain)) || isKnownReduction(what) || hasWindows)
            return true;
        return std::any_of(what.arguments.begin(), what.arguments.end(), [&](const GraphArgument &argument) {
            return (argument.kind == GraphArgument::Kind::Node && visit(argument.node)) ||
                   std::any_of(argument.items.begin(), argument.items.end(), [&](const GraphArgument &item) {
                       return item.kind == GraphArgument::Kind::Node && visit(item.node);
                   });
        });
    };
    return visit(node);
}

} // namespace warpwright
