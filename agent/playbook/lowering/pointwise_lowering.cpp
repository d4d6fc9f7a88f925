// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's pointwise operators: torch's words in ours.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <cmath>
#include <limits>

namespace warpwright {

// What an operator on these tensors computes in: torch's own promotion has chosen the result's type, but for
// comparisons, whose result says nothing of it.
ElementType KernelLowering::promoted(const GraphNode &node) const {
    ElementType widest = ElementType::Bool;
    bool isFractional = false;
    for (const GraphArgument &argument : node.arguments) {
        if (argument.kind == GraphArgument::Kind::Number)
            isFractional = isFractional || argument.number != std::floor(argument.number);
        if (argument.kind != GraphArgument::Kind::Node)
            continue;
        const ElementType type = computedType(m_graph.nodes[static_cast<std::size_t>(argument.node)].type);
        if (widest == ElementType::Bool || (isFloating(type) && !isFloating(widest)) ||
            type == ElementType::Float64)
            widest = type;
    }
    return isFractional && !isFloating(widest) ? ElementType::Float32 : widest;
}

int KernelLowering::operand(const GraphNode &node, const GraphArgument &argument, const IndexMap &map,
                            ElementType type) {
    if (argument.kind == GraphArgument::Kind::Number || argument.kind == GraphArgument::Kind::Truth)
        return m_kernel.number(argument.number, type);
    if (argument.kind != GraphArgument::Kind::Node)
        return refuse(QStringLiteral("«%1» has an argument that no kernel takes").arg(node.op));
    const GraphNode &source = m_graph.nodes[static_cast<std::size_t>(argument.node)];
    const int step = lower(argument.node, broadcastMap(map, source.shape, node.shape, m_sizes.size()));
    return step < 0 ? step : m_kernel.converted(step, type);
}

int KernelLowering::lowerPointwise(int place, const GraphNode &node, const IndexMap &map) {
    Q_UNUSED(place)
    const ElementType type = computedType(node.type);
    const QString op = wordOf(node);
    const auto plain = plainOp(node.op);
    const bool isScaled =
        node.argument(-1, "alpha") != nullptr || node.argument(-1, "rounding_mode") != nullptr;
    if (!plain || isScaled || node.op.endsWith(QLatin1String("_")))
        return lowerSpecial(node, map);
    const bool isTruthful = *plain == KernelOp::And || *plain == KernelOp::Or || *plain == KernelOp::Not;
    const ElementType inside = isComparison(*plain) ? promoted(node) : isTruthful ? ElementType::Bool : type;
    std::vector<int> operands;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        const bool isCondition = *plain == KernelOp::Select && i == 0;
        const int step = operand(node, node.arguments[i], map, isCondition ? ElementType::Bool : inside);
        if (step < 0)
            return step;
        operands.push_back(step);
    }
    const std::size_t wanted = *plain == KernelOp::Select                                   ? 3
                               : *plain >= KernelOp::Negate && *plain <= KernelOp::Truncate ? 1
                               : *plain == KernelOp::Not                                    ? 1
                                                                                            : 2;
    if (operands.size() != wanted)
        return refuse(
            QStringLiteral("«%1» has %2 arguments, which is another operator than the one known here")
                .arg(node.op)
                .arg(operands.size()));
    const KernelOp meant = *plain == KernelOp::Add && type == ElementType::Bool ? KernelOp::Or : *plain;
    return m_kernel.add(meant, isComparison(*plain) || isTruthful ? ElementType::Bool : type, operands);
}

int KernelLowering::lowerSpecial(const GraphNode &node, const IndexMap &map) {
    const ElementType type = computedType(node.type);
    const QString op = wordOf(node);
    const auto number = [this, type](double value) {
        return m_kernel.number(value, type);
    };
    const auto argument = [this, &node, &map, type](int index) {
        const GraphArgument *found = node.argument(index);
        return found == nullptr ? refuse(QStringLiteral("«%1» lacks an argument").arg(node.op))
                                : operand(node, *found, map, type);
    };
    if (op == QLatin1String("full") || op == QLatin1String("full_like"))
        return number(node.arguments.size() > 1 ? node.arguments[1].number : 0);
    if (op == QLatin1String("literal"))
        return lowerLiteral(node, map);
    if (op == QLatin1String("scalar_tensor"))
        return number(node.arguments.empty() ? 0 : node.arguments[0].number);
    // Memory that nobody has written may hold anything.
    if (op == QLatin1String("zeros") || op == QLatin1String("zeros_like") || op == QLatin1String("empty") ||
        op == QLatin1String("empty_like") || op == QLatin1String("empty_strided") ||
        op == QLatin1String("empty_permuted"))
        return number(0);
    if (op == QLatin1String("ones") || op == QLatin1String("ones_like"))
        return number(1);
    if (op == QLatin1String("arange") || op == QLatin1String("iota")) {
        const bool isWhole = node.op == QLatin1String("arange.start_step");
        const double start = isWhole ? node.arguments[0].number : 0;
        const double step = isWhole && node.arguments.size() > 2 ? node.arguments[2].number : 1;
        if (!isWhole && node.op != QLatin1String("arange"))
            return refuseUnknown(node);
        const int index = m_kernel.converted(valueOf(map[0]), type);
        const int scaled = m_kernel.add(KernelOp::Multiply, type, {index, number(step)});
        return m_kernel.add(KernelOp::Add, type, {scaled, number(start)});
    }
    if (op == QLatin1String("copy")) // the second one's values, in the first one's shape and type
        return argument(1);
    const bool hasTensor = !node.arguments.empty() && node.arguments[0].kind == GraphArgument::Kind::Node;
    if (!hasTensor && op != QLatin1String("pow"))
        return refuseUnknown(node);
    // Of another operator the operands are not looked at: the message is to name the operator.
    if (!isSpecialPointwise(op))
        return refuseUnknown(node);
    if (isOfBits(op))
        return lowerBits(node, map);
    const int first = argument(0);
    if (first < 0)
        return first;
    if (op == QLatin1String("_to_copy") || node.op == QLatin1String("prims.convert_element_type"))
        return first; // operand() has converted it
    if (op == QLatin1String("relu"))
        return m_kernel.add(KernelOp::Maximum, type, {first, number(0)});
    if (op == QLatin1String("rsqrt") || op == QLatin1String("reciprocal")) {
        const int below =
            op == QLatin1String("rsqrt") ? m_kernel.add(KernelOp::SquareRoot, type, {first}) : first;
        return m_kernel.add(KernelOp::Divide, type, {number(1), below});
    }
    if (op == QLatin1String("square"))
        return m_kernel.add(KernelOp::Multiply, type, {first, first});
    if (op == QLatin1String("clamp") || op == QLatin1String("clamp_min") ||
        op == QLatin1String("clamp_max")) {
        int step = first;
        const bool isUpperOnly = op == QLatin1String("clamp_max");
        const GraphArgument *low = isUpperOnly ? nullptr : node.argument(1, "min");
        const GraphArgument *high = isUpperOnly ? node.argument(1, "max") : node.argument(2, "max");
        for (const auto &[bound, with] :
             {std::pair(low, KernelOp::Maximum), std::pair(high, KernelOp::Minimum)}) {
            if (bound == nullptr || bound->kind == GraphArgument::Kind::None)
                continue;
            const int limit = operand(node, *bound, map, type);
            if (limit < 0)
                return limit;
            step = m_kernel.add(with, type, {step, limit});
        }
        return step;
    }
    if (op == QLatin1String("gt") || op == QLatin1String("ge")) {
        const ElementType inside = promoted(node);
        const int left = operand(node, node.arguments[0], map, inside);
        const int right = operand(node, node.arguments[1], map, inside);
        if (left < 0 || right < 0)
            return -1;
        return m_kernel.add(op == QLatin1String("gt") ? KernelOp::Less : KernelOp::LessOrEqual,
                            ElementType::Bool, {right, left});
    }
    if (op == QLatin1String("pow")) {
        const GraphArgument &power = node.arguments[1];
        if (power.kind != GraphArgument::Kind::Number) {
            const int base = argument(0);
            const int exponent = argument(1);
            return base < 0 || exponent < 0 ? -1 : m_kernel.add(KernelOp::Power, type, {base, exponent});
        }
        const double exponent = power.number;
        const double whole = std::abs(exponent);
        if (type == ElementType::Int64 && exponent > 4 &&
            whole == std::floor(whole)) { // beyond doubles' digits
            int product = -1;
            int square = first;
            for (auto bits = static_cast<std::int64_t>(exponent); bits > 0; bits >>= 1) {
                if (bits % 2 != 0)
                    product =
                        product < 0 ? square : m_kernel.add(KernelOp::Multiply, type, {product, square});
                if (bits > 1)
                    square = m_kernel.add(KernelOp::Multiply, type, {square, square});
            }
            return product;
        }
        if (whole == std::floor(whole) && whole >= 1 && whole <= 4) {
            int product = first;
            if (whole == 4) {
                product = m_kernel.add(KernelOp::Multiply, type, {first, first});
                product = m_kernel.add(KernelOp::Multiply, type, {product, product});
            } else {
                for (int i = 1; i < whole; ++i)
                    product = m_kernel.add(KernelOp::Multiply, type, {product, first});
            }
            return exponent > 0 ? product : m_kernel.add(KernelOp::Divide, type, {number(1), product});
        }
        if (whole == 0.5 || whole == 0.75 || whole == 1.5) { // a call of pow is some sixty instructions
            const int root = m_kernel.add(KernelOp::SquareRoot, type, {first});
            const int other = whole == 0.75 ? m_kernel.add(KernelOp::SquareRoot, type, {root}) : first;
            const int result = whole == 0.5 ? root : m_kernel.add(KernelOp::Multiply, type, {root, other});
            return exponent > 0 ? result : m_kernel.add(KernelOp::Divide, type, {number(1), result});
        }
        return m_kernel.add(KernelOp::Power, type, {first, number(exponent)});
    }
    if (op == QLatin1String("rsub") || ((op == QLatin1String("add") || op == QLatin1String("sub")) &&
                                        node.argument(-1, "alpha") != nullptr)) {
        const GraphArgument *alpha = node.argument(-1, "alpha");
        const int second = argument(1);
        if (second < 0)
            return second;
        const double factor = alpha != nullptr ? alpha->number : 1;
        if (op == QLatin1String("rsub"))
            return m_kernel.add(KernelOp::Subtract, type,
                                {second, m_kernel.add(KernelOp::Multiply, type, {first, number(factor)})});
        return m_kernel.add(op == QLatin1String("add") ? KernelOp::Add : KernelOp::Subtract, type,
                            {first, m_kernel.add(KernelOp::Multiply, type, {second, number(factor)})});
    }
    if (op == QLatin1String("div")) { // with a rounding_mode: trunc, or floor
        const int second = argument(1);
        if (second < 0)
            return second;
        const GraphArgument *mode = node.argument(-1, "rounding_mode");
        const bool isFloor = mode != nullptr && mode->word == QLatin1String("floor");
        if (isFloating(type))
            return m_kernel.add(isFloor ? KernelOp::Floor : KernelOp::Truncate, type,
                                {m_kernel.add(KernelOp::Divide, type, {first, second})});
        const int rest = m_kernel.add(KernelOp::Remainder, type, {first, second});
        const int whole = isFloor ? m_kernel.add(KernelOp::Subtract, type, {first, rest}) : first;
        return m_kernel.add(KernelOp::Divide, type, {whole, second});
    }
    if (op == QLatin1String("fmax") || op == QLatin1String("fmin")) {
        const int second = argument(1);
        if (second < 0)
            return second;
        // What is no number loses against any other.
        const auto isNone = [this](int step) {
            return m_kernel.add(KernelOp::NotEqual, ElementType::Bool, {step, step});
        };
        const int extreme = m_kernel.add(op == QLatin1String("fmax") ? KernelOp::Maximum : KernelOp::Minimum,
                                         type, {first, second});
        const int sure = m_kernel.add(KernelOp::Select, type, {isNone(second), first, extreme});
        return m_kernel.add(KernelOp::Select, type, {isNone(first), second, sure});
    }
    if (op == QLatin1String("ldexp")) {
        const int second = argument(1);
        return second < 0 ? second
                          : m_kernel.add(KernelOp::Multiply, type,
                                         {first, m_kernel.add(KernelOp::ExponentialOf2, type, {second})});
    }
    return lowerQuestion(node, map);
}

// A few numbers that the reference writes down: chosen from by their place.
int KernelLowering::lowerLiteral(const GraphNode &node, const IndexMap &map) {
    const ElementType type = computedType(node.type);
    const std::vector<GraphArgument> &values = node.arguments[0].items;
    const AffineIndex flat = combined(map, contiguousStrides(node.shape), 0);
    const auto [first, last] = rangeOf(flat);
    const auto number = [&](std::int64_t place) {
        return m_kernel.number(values[static_cast<std::size_t>(place)].number, type);
    };
    int step = number(last);
    for (std::int64_t place = last; place-- > first;) {
        const int end = m_kernel.number(static_cast<double>(place + 1), ElementType::Int64);
        step = m_kernel.add(
            KernelOp::Select, type,
            {m_kernel.add(KernelOp::Less, ElementType::Bool, {valueOf(flat), end}), number(place), step});
    }
    return step;
}

// What an element is like, and not how much.
int KernelLowering::lowerQuestion(const GraphNode &node, const IndexMap &map) {
    const QString op = wordOf(node);
    const ElementType inside = promoted(node);
    const auto number = [this, inside](double value) {
        return m_kernel.number(value, inside);
    };
    const auto truth = [this](KernelOp what, int left, int right) {
        return m_kernel.add(what, ElementType::Bool, {left, right});
    };
    const int first = operand(node, node.arguments[0], map,
                              op == QLatin1String("logical_xor") ? ElementType::Bool : inside);
    if (first < 0)
        return first;
    if (op == QLatin1String("isnan"))
        return truth(KernelOp::NotEqual, first, first);
    if (op == QLatin1String("isinf"))
        return isFloating(inside) ? truth(KernelOp::Equal, m_kernel.add(KernelOp::Absolute, inside, {first}),
                                          number(std::numeric_limits<double>::infinity()))
                                  : m_kernel.number(0, ElementType::Bool);
    if (op == QLatin1String("signbit"))
        return isFloating(inside)
                   ? truth(KernelOp::Less, m_kernel.add(KernelOp::CopySign, inside, {number(1), first}),
                           number(0))
                   : truth(KernelOp::Less, first, number(0));
    if (op == QLatin1String("sign")) {
        const int isAbove = m_kernel.converted(truth(KernelOp::Less, number(0), first), inside);
        const int isBelow = m_kernel.converted(truth(KernelOp::Less, first, number(0)), inside);
        return m_kernel.add(KernelOp::Subtract, inside, {isAbove, isBelow});
    }
    if (op == QLatin1String("logical_xor")) {
        const int second = operand(node, node.arguments[1], map, ElementType::Bool);
        return second < 0 ? second : truth(KernelOp::NotEqual, first, second);
    }
    return refuseUnknown(node);
}

} // namespace warpwright
