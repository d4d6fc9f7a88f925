// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/special_pointwise.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/bit_lowering.h"
#include "agent/playbook/lowering/promoted_type.h"

#include <cmath>
#include <limits>

namespace warpwright {
namespace {

// A few numbers that the reference writes down: chosen from by their place.
int lowerLiteral(LoweringContext &context, const GraphNode &node, const IndexMap &map) {
    FusedKernel &kernel = context.kernel();
    IndexSpace &indices = context.indices();
    const ElementType type = computedType(node.type);
    const std::vector<GraphArgument> &values = node.arguments[0].items;
    const AffineIndex flat = combined(map, contiguousStrides(node.shape), 0);
    const auto [first, last] = indices.rangeOf(flat);
    const auto number = [&](std::int64_t place) {
        return kernel.number(values[static_cast<std::size_t>(place)].number, type);
    };
    int step = number(last);
    for (std::int64_t place = last; place-- > first;) {
        const int end = integerStep(kernel, place + 1);
        step = kernel.add(KernelOp::Select, type,
                          {kernel.add(KernelOp::Less, ElementType::Bool, {indices.valueOf(flat), end}),
                           number(place), step});
    }
    return step;
}

// What an element is like, and not how much.
int lowerQuestion(LoweringContext &context, const GraphNode &node, const IndexMap &map) {
    FusedKernel &kernel = context.kernel();
    const QString op = wordOf(node);
    const ElementType inside = promotedType(context.graph(), node);
    const auto number = [&, inside](double value) {
        return kernel.number(value, inside);
    };
    const auto truth = [&](KernelOp what, int left, int right) {
        return kernel.add(what, ElementType::Bool, {left, right});
    };
    const int first = context.operand(node, node.arguments[0], map,
                                      op == QLatin1String("logical_xor") ? ElementType::Bool : inside);
    if (first < 0)
        return first;
    if (op == QLatin1String("isnan"))
        return truth(KernelOp::NotEqual, first, first);
    if (op == QLatin1String("isinf"))
        return isFloating(inside) ? truth(KernelOp::Equal, kernel.add(KernelOp::Absolute, inside, {first}),
                                          number(std::numeric_limits<double>::infinity()))
                                  : kernel.number(0, ElementType::Bool);
    if (op == QLatin1String("signbit"))
        return isFloating(inside)
                   ? truth(KernelOp::Less, kernel.add(KernelOp::CopySign, inside, {number(1), first}),
                           number(0))
                   : truth(KernelOp::Less, first, number(0));
    if (op == QLatin1String("sign")) {
        const int isAbove = kernel.converted(truth(KernelOp::Less, number(0), first), inside);
        const int isBelow = kernel.converted(truth(KernelOp::Less, first, number(0)), inside);
        return kernel.add(KernelOp::Subtract, inside, {isAbove, isBelow});
    }
    if (op == QLatin1String("logical_xor")) {
        const int second = context.operand(node, node.arguments[1], map, ElementType::Bool);
        return second < 0 ? second : truth(KernelOp::NotEqual, first, second);
    }
    return context.refuseUnknown(node);
}

// What torch counts: from a number on, in steps of another.
int lowerRange(LoweringContext &context, const GraphNode &node, const IndexMap &map) {
    const bool isWhole = node.op == QLatin1String("arange.start_step");
    if (!isWhole && node.op != QLatin1String("arange"))
        return context.refuseUnknown(node);
    const double start = isWhole ? node.arguments[0].number : 0;
    const double step = isWhole && node.arguments.size() > 2 ? node.arguments[2].number : 1;
    const ElementType type = computedType(node.type);
    FusedKernel &kernel = context.kernel();
    const int index = kernel.converted(context.indices().valueOf(map[0]), type);
    const int scaled = kernel.add(KernelOp::Multiply, type, {index, kernel.number(step, type)});
    return kernel.add(KernelOp::Add, type, {scaled, kernel.number(start, type)});
}

/// What is made of no tensor. Empty: the operator is none of these.
std::optional<int> lowerConstant(LoweringContext &context, const GraphNode &node, const IndexMap &map) {
    const QString op = wordOf(node);
    const auto number = [&](double value) {
        return context.kernel().number(value, computedType(node.type));
    };
    if (op == QLatin1String("full") || op == QLatin1String("full_like"))
        return number(node.arguments.size() > 1 ? node.arguments[1].number : 0);
    if (op == QLatin1String("literal"))
        return lowerLiteral(context, node, map);
    if (op == QLatin1String("scalar_tensor"))
        return number(node.arguments.empty() ? 0 : node.arguments[0].number);
    // Memory that nobody has written may hold anything.
    if (op == QLatin1String("zeros") || op == QLatin1String("zeros_like") || op == QLatin1String("empty") ||
        op == QLatin1String("empty_like") || op == QLatin1String("empty_strided") ||
        op == QLatin1String("empty_permuted"))
        return number(0);
    if (op == QLatin1String("ones") || op == QLatin1String("ones_like"))
        return number(1);
    if (op == QLatin1String("arange") || op == QLatin1String("iota"))
        return lowerRange(context, node, map);
    return std::nullopt;
}

/// An operator with one tensor or more, by its word.
class SpecialPointwise {
public:
    SpecialPointwise(LoweringContext &context, const GraphNode &node, const IndexMap &map)
        : m_context(context),
          m_kernel(context.kernel()),
          m_node(node),
          m_map(map),
          m_op(wordOf(node)),
          m_type(computedType(node.type)) {}

    int run() {
        if (m_op == QLatin1String("copy")) // the second one's values, in the first one's shape and type
            return argument(1);
        const bool hasTensor =
            !m_node.arguments.empty() && m_node.arguments[0].kind == GraphArgument::Kind::Node;
        if (!hasTensor && m_op != QLatin1String("pow"))
            return m_context.refuseUnknown(m_node);
        // Of another operator the operands are not looked at: the message is to name the operator.
        if (!isSpecialPointwise(m_op))
            return m_context.refuseUnknown(m_node);
        if (isOfBits(m_op))
            return lowerBits(m_context, m_node, m_map);
        const int first = argument(0);
        if (first < 0)
            return first;
        if (m_op == QLatin1String("_to_copy") || m_node.op == QLatin1String("prims.convert_element_type"))
            return first; // operand() has converted it
        for (const auto &[word, lower] : words)
            if (m_op == QLatin1String(word))
                return (this->*lower)(first);
        const bool isScaled = m_node.argument(-1, "alpha") != nullptr;
        if (m_op == QLatin1String("rsub") ||
            ((m_op == QLatin1String("add") || m_op == QLatin1String("sub")) && isScaled))
            return scaledSum(first);
        return lowerQuestion(m_context, m_node, m_map);
    }

private:
    struct Word {
        const char *word;
        int (SpecialPointwise::*lower)(int first);
    };
    static const Word words[14];

    int number(double value) { return m_kernel.number(value, m_type); }

    int argument(int index) {
        const GraphArgument *found = m_node.argument(index);
        return found == nullptr ? m_context.refuse(QStringLiteral("«%1» lacks an argument").arg(m_node.op))
                                : m_context.operand(m_node, *found, m_map, m_type);
    }

    int relu(int first) { return m_kernel.add(KernelOp::Maximum, m_type, {first, number(0)}); }

    int reciprocal(int first) { return m_kernel.add(KernelOp::Divide, m_type, {number(1), first}); }

    int reciprocalRoot(int first) { return reciprocal(m_kernel.add(KernelOp::SquareRoot, m_type, {first})); }

    int square(int first) { return m_kernel.add(KernelOp::Multiply, m_type, {first, first}); }

    int clamped(int first) {
        int step = first;
        const bool isUpperOnly = m_op == QLatin1String("clamp_max");
        const GraphArgument *low = isUpperOnly ? nullptr : m_node.argument(1, "min");
        const GraphArgument *high = isUpperOnly ? m_node.argument(1, "max") : m_node.argument(2, "max");
        for (const auto &[bound, with] :
             {std::pair(low, KernelOp::Maximum), std::pair(high, KernelOp::Minimum)}) {
            if (bound == nullptr || bound->kind == GraphArgument::Kind::None)
                continue;
            const int limit = m_context.operand(m_node, *bound, m_map, m_type);
            if (limit < 0)
                return limit;
            step = m_kernel.add(with, m_type, {step, limit});
        }
        return step;
    }

    // «More than» is «less than» the other way round.
    int compared(int) {
        const ElementType inside = promotedType(m_context.graph(), m_node);
        const int left = m_context.operand(m_node, m_node.arguments[0], m_map, inside);
        const int right = m_context.operand(m_node, m_node.arguments[1], m_map, inside);
        if (left < 0 || right < 0)
            return -1;
        return m_kernel.add(m_op == QLatin1String("gt") ? KernelOp::Less : KernelOp::LessOrEqual,
                            ElementType::Bool, {right, left});
    }

    int power(int first) {
        const GraphArgument &given = m_node.arguments[1];
        if (given.kind != GraphArgument::Kind::Number) {
            const int base = argument(0);
            const int exponent = argument(1);
            return base < 0 || exponent < 0 ? -1 : m_kernel.add(KernelOp::Power, m_type, {base, exponent});
        }
        const double exponent = given.number;
        const double whole = std::abs(exponent);
        const bool isWhole = whole == std::floor(whole);
        if (m_type == ElementType::Int64 && exponent > 4 && isWhole) // beyond doubles' digits
            return bySquares(first, static_cast<std::int64_t>(exponent));
        if (isWhole && whole >= 1 && whole <= 4) {
            const int product = byProducts(first, static_cast<int>(whole));
            return exponent > 0 ? product : reciprocal(product);
        }
        if (whole == 0.5 || whole == 0.75 || whole == 1.5) { // a call of pow is some sixty instructions
            const int result = byRoots(first, whole);
            return exponent > 0 ? result : reciprocal(result);
        }
        return m_kernel.add(KernelOp::Power, m_type, {first, number(exponent)});
    }

    int bySquares(int first, std::int64_t exponent) {
        int product = -1;
        int factor = first;
        for (std::int64_t bits = exponent; bits > 0; bits >>= 1) {
            if (bits % 2 != 0)
                product = product < 0 ? factor : m_kernel.add(KernelOp::Multiply, m_type, {product, factor});
            if (bits > 1)
                factor = square(factor);
        }
        return product;
    }

    int byProducts(int first, int exponent) {
        if (exponent == 4)
            return square(square(first));
        int product = first;
        for (int i = 1; i < exponent; ++i)
            product = m_kernel.add(KernelOp::Multiply, m_type, {product, first});
        return product;
    }

    // To the power of 0.5, 0.75 or 1.5.
    int byRoots(int first, double exponent) {
        const int root = m_kernel.add(KernelOp::SquareRoot, m_type, {first});
        const int other = exponent == 0.75 ? m_kernel.add(KernelOp::SquareRoot, m_type, {root}) : first;
        return exponent == 0.5 ? root : m_kernel.add(KernelOp::Multiply, m_type, {root, other});
    }

    int scaledSum(int first) {
        const GraphArgument *alpha = m_node.argument(-1, "alpha");
        const int second = argument(1);
        if (second < 0)
            return second;
        const double factor = alpha != nullptr ? alpha->number : 1;
        if (m_op == QLatin1String("rsub"))
            return m_kernel.add(KernelOp::Subtract, m_type,
                                {second, m_kernel.add(KernelOp::Multiply, m_type, {first, number(factor)})});
        return m_kernel.add(m_op == QLatin1String("add") ? KernelOp::Add : KernelOp::Subtract, m_type,
                            {first, m_kernel.add(KernelOp::Multiply, m_type, {second, number(factor)})});
    }

    // With a rounding_mode: trunc, or floor.
    int roundedQuotient(int first) {
        const int second = argument(1);
        if (second < 0)
            return second;
        const GraphArgument *mode = m_node.argument(-1, "rounding_mode");
        const bool isFloor = mode != nullptr && mode->word == QLatin1String("floor");
        if (isFloating(m_type))
            return m_kernel.add(isFloor ? KernelOp::Floor : KernelOp::Truncate, m_type,
                                {m_kernel.add(KernelOp::Divide, m_type, {first, second})});
        const int rest = m_kernel.add(KernelOp::Remainder, m_type, {first, second});
        const int whole = isFloor ? m_kernel.add(KernelOp::Subtract, m_type, {first, rest}) : first;
        return m_kernel.add(KernelOp::Divide, m_type, {whole, second});
    }

    // What is no number loses against any other.
    int extremeOfNumbers(int first) {
        const int second = argument(1);
        if (second < 0)
            return second;
        const auto isNone = [this](int step) {
            return m_kernel.add(KernelOp::NotEqual, ElementType::Bool, {step, step});
        };
        const int extreme = m_kernel.add(
            m_op == QLatin1String("fmax") ? KernelOp::Maximum : KernelOp::Minimum, m_type, {first, second});
        const int sure = m_kernel.add(KernelOp::Select, m_type, {isNone(second), first, extreme});
        return m_kernel.add(KernelOp::Select, m_type, {isNone(first), second, sure});
    }

    int timesPowerOf2(int first) {
        const int second = argument(1);
        return second < 0 ? second
                          : m_kernel.add(KernelOp::Multiply, m_type,
                                         {first, m_kernel.add(KernelOp::ExponentialOf2, m_type, {second})});
    }

    LoweringContext &m_context;
    FusedKernel &m_kernel;
    const GraphNode &m_node;
    const IndexMap &m_map;
    QString m_op;
    ElementType m_type;
};

const SpecialPointwise::Word SpecialPointwise::words[] = {
    {"relu", &SpecialPointwise::relu},
    {"reciprocal", &SpecialPointwise::reciprocal},
    {"rsqrt", &SpecialPointwise::reciprocalRoot},
    {"square", &SpecialPointwise::square},
    {"clamp", &SpecialPointwise::clamped},
    {"clamp_min", &SpecialPointwise::clamped},
    {"clamp_max", &SpecialPointwise::clamped},
    {"gt", &SpecialPointwise::compared},
    {"ge", &SpecialPointwise::compared},
    {"pow", &SpecialPointwise::power},
    {"div", &SpecialPointwise::roundedQuotient},
    {"fmax", &SpecialPointwise::extremeOfNumbers},
    {"fmin", &SpecialPointwise::extremeOfNumbers},
    {"ldexp", &SpecialPointwise::timesPowerOf2},
};

} // namespace

int lowerSpecial(LoweringContext &context, const GraphNode &node, const IndexMap &map) {
    if (const auto step = lowerConstant(context, node, map))
        return *step;
    return SpecialPointwise(context, node, map).run();
}

} // namespace warpwright
