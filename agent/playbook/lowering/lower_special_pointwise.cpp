// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/lower_special_pointwise.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/lower_bitwise.h"
#include "agent/playbook/lowering/promoted_type.h"

#include <cmath>
#include <limits>

namespace warpwright {
namespace {

// A few constants of the reference, selected by their index.
int lowerLiteral(LoweringContext &context, const GraphNode &node, const AffineMap &map) {
    Kernel &kernel = context.kernel();
    IndexSpace &indices = context.indices();
    const ElementType type = computeType(node.type);
    const std::vector<GraphArgument> &values = node.arguments[0].items;
    const AffineExpr flat = linearize(map, contiguousStrides(node.shape), 0);
    const auto [first, last] = indices.rangeOf(flat);
    const auto number = [&](std::int64_t position) {
        return kernel.number(values[static_cast<std::size_t>(position)].number, type);
    };
    int step = number(last);
    for (std::int64_t position = last; position-- > first;) {
        const int end = integerStep(kernel, position + 1);
        step = kernel.add(Opcode::Select, type,
                          {kernel.add(Opcode::Less, ElementType::Bool, {indices.valueOf(flat), end}),
                           number(position), step});
    }
    return step;
}

// Predicates, and the sign.
int lowerPredicate(LoweringContext &context, const GraphNode &node, const AffineMap &map) {
    Kernel &kernel = context.kernel();
    const QString op = opNameOf(node);
    const ElementType operandType = promotedType(context.graph(), node);
    const auto number = [&, operandType](double value) {
        return kernel.number(value, operandType);
    };
    const auto truth = [&](Opcode what, int left, int right) {
        return kernel.add(what, ElementType::Bool, {left, right});
    };
    const int first = context.operand(node, node.arguments[0], map,
                                      op == QLatin1String("logical_xor") ? ElementType::Bool : operandType);
    if (first < 0)
        return first;
    if (op == QLatin1String("isnan"))
        return truth(Opcode::NotEqual, first, first);
    if (op == QLatin1String("isinf"))
        return isFloating(operandType) ? truth(Opcode::Equal, kernel.add(Opcode::Abs, operandType, {first}),
                                               number(std::numeric_limits<double>::infinity()))
                                       : kernel.number(0, ElementType::Bool);
    if (op == QLatin1String("signbit"))
        return isFloating(operandType)
                   ? truth(Opcode::Less, kernel.add(Opcode::CopySign, operandType, {number(1), first}),
                           number(0))
                   : truth(Opcode::Less, first, number(0));
    if (op == QLatin1String("sign")) {
        const int isAbove = kernel.converted(truth(Opcode::Less, number(0), first), operandType);
        const int isBelow = kernel.converted(truth(Opcode::Less, first, number(0)), operandType);
        return kernel.add(Opcode::Subtract, operandType, {isAbove, isBelow});
    }
    if (op == QLatin1String("logical_xor")) {
        const int second = context.operand(node, node.arguments[1], map, ElementType::Bool);
        return second < 0 ? second : truth(Opcode::NotEqual, first, second);
    }
    return context.refuseUnknown(node);
}

// start + index * step.
int lowerArange(LoweringContext &context, const GraphNode &node, const AffineMap &map) {
    const bool isWhole = node.op == QLatin1String("arange.start_step");
    if (!isWhole && node.op != QLatin1String("arange"))
        return context.refuseUnknown(node);
    const double start = isWhole ? node.arguments[0].number : 0;
    const double step = isWhole && node.arguments.size() > 2 ? node.arguments[2].number : 1;
    const ElementType type = computeType(node.type);
    Kernel &kernel = context.kernel();
    const int index = kernel.converted(context.indices().valueOf(map[0]), type);
    const int scaled = kernel.add(Opcode::Multiply, type, {index, kernel.number(step, type)});
    return kernel.add(Opcode::Add, type, {scaled, kernel.number(start, type)});
}

/// Operators without a tensor operand. Empty: it is none of these.
std::optional<int> lowerConstant(LoweringContext &context, const GraphNode &node, const AffineMap &map) {
    const QString op = opNameOf(node);
    const auto number = [&](double value) {
        return context.kernel().number(value, computeType(node.type));
    };
    if (op == QLatin1String("full") || op == QLatin1String("full_like"))
        return number(node.arguments.size() > 1 ? node.arguments[1].number : 0);
    if (op == QLatin1String("literal"))
        return lowerLiteral(context, node, map);
    if (op == QLatin1String("scalar_tensor"))
        return number(node.arguments.empty() ? 0 : node.arguments[0].number);
    // Uninitialized memory may hold anything.
    if (op == QLatin1String("zeros") || op == QLatin1String("zeros_like") || op == QLatin1String("empty") ||
        op == QLatin1String("empty_like") || op == QLatin1String("empty_strided") ||
        op == QLatin1String("empty_permuted"))
        return number(0);
    if (op == QLatin1String("ones") || op == QLatin1String("ones_like"))
        return number(1);
    if (op == QLatin1String("arange") || op == QLatin1String("iota"))
        return lowerArange(context, node, map);
    return std::nullopt;
}

/// An operator with at least one tensor operand, by its name.
class SpecialPointwise {
public:
    SpecialPointwise(LoweringContext &context, const GraphNode &node, const AffineMap &map)
        : m_context(context),
          m_kernel(context.kernel()),
          m_node(node),
          m_map(map),
          m_op(opNameOf(node)),
          m_type(computeType(node.type)) {}

    int run() {
        if (m_op == QLatin1String("copy")) // the second operand's values in the first one's shape and type
            return argument(1);
        const bool hasTensor =
            !m_node.arguments.empty() && m_node.arguments[0].kind == GraphArgument::Kind::Node;
        if (!hasTensor && m_op != QLatin1String("pow"))
            return m_context.refuseUnknown(m_node);
        // Operands of an unknown operator are not lowered: the message is to name the operator.
        if (!isSpecialPointwise(m_op))
            return m_context.refuseUnknown(m_node);
        if (isBitwise(m_op))
            return lowerBitwise(m_context, m_node, m_map);
        const int first = argument(0);
        if (first < 0)
            return first;
        if (m_op == QLatin1String("_to_copy") || m_node.op == QLatin1String("prims.convert_element_type"))
            return first; // operand() has converted it
        for (const auto &[word, lower] : handlers)
            if (m_op == QLatin1String(word))
                return (this->*lower)(first);
        const bool isScaled = m_node.argument(-1, "alpha") != nullptr;
        if (m_op == QLatin1String("rsub") ||
            ((m_op == QLatin1String("add") || m_op == QLatin1String("sub")) && isScaled))
            return scaledSum(first);
        return lowerPredicate(m_context, m_node, m_map);
    }

private:
    struct Handler {
        const char *word;
        int (SpecialPointwise::*lower)(int first);
    };
    static const Handler handlers[14];

    int number(double value) { return m_kernel.number(value, m_type); }

    int argument(int index) {
        const GraphArgument *found = m_node.argument(index);
        return found == nullptr ? m_context.refuse(QStringLiteral("«%1» lacks an argument").arg(m_node.op))
                                : m_context.operand(m_node, *found, m_map, m_type);
    }

    int relu(int first) { return m_kernel.add(Opcode::Maximum, m_type, {first, number(0)}); }

    int reciprocal(int first) { return m_kernel.add(Opcode::Divide, m_type, {number(1), first}); }

    int reciprocalRoot(int first) { return reciprocal(m_kernel.add(Opcode::Sqrt, m_type, {first})); }

    int square(int first) { return m_kernel.add(Opcode::Multiply, m_type, {first, first}); }

    int clamped(int first) {
        int step = first;
        const bool isUpperOnly = m_op == QLatin1String("clamp_max");
        const GraphArgument *low = isUpperOnly ? nullptr : m_node.argument(1, "min");
        const GraphArgument *high = isUpperOnly ? m_node.argument(1, "max") : m_node.argument(2, "max");
        for (const auto &[bound, with] :
             {std::pair(low, Opcode::Maximum), std::pair(high, Opcode::Minimum)}) {
            if (bound == nullptr || bound->kind == GraphArgument::Kind::None)
                continue;
            const int limit = m_context.operand(m_node, *bound, m_map, m_type);
            if (limit < 0)
                return limit;
            step = m_kernel.add(with, m_type, {step, limit});
        }
        return step;
    }

    // gt and ge: lt and le with swapped operands.
    int compared(int) {
        const ElementType operandType = promotedType(m_context.graph(), m_node);
        const int left = m_context.operand(m_node, m_node.arguments[0], m_map, operandType);
        const int right = m_context.operand(m_node, m_node.arguments[1], m_map, operandType);
        if (left < 0 || right < 0)
            return -1;
        return m_kernel.add(m_op == QLatin1String("gt") ? Opcode::Less : Opcode::LessOrEqual,
                            ElementType::Bool, {right, left});
    }

    int power(int first) {
        const GraphArgument &given = m_node.arguments[1];
        if (given.kind != GraphArgument::Kind::Number) {
            const int base = argument(0);
            const int exponent = argument(1);
            return base < 0 || exponent < 0 ? -1 : m_kernel.add(Opcode::Pow, m_type, {base, exponent});
        }
        const double exponent = given.number;
        const double whole = std::abs(exponent);
        const bool isWhole = whole == std::floor(whole);
        if (m_type == ElementType::Int64 && exponent > 4 && isWhole) // beyond the precision of doubles
            return bySquares(first, static_cast<std::int64_t>(exponent));
        if (isWhole && whole >= 1 && whole <= 4) {
            const int multiplied = byMultiplication(first, static_cast<int>(whole));
            return exponent > 0 ? multiplied : reciprocal(multiplied);
        }
        if (whole == 0.5 || whole == 0.75 || whole == 1.5) { // a call of pow is some 60 instructions
            const int result = byRoots(first, whole);
            return exponent > 0 ? result : reciprocal(result);
        }
        return m_kernel.add(Opcode::Pow, m_type, {first, number(exponent)});
    }

    int bySquares(int first, std::int64_t exponent) {
        int multiplied = -1;
        int factor = first;
        for (std::int64_t bits = exponent; bits > 0; bits >>= 1) {
            if (bits % 2 != 0)
                multiplied =
                    multiplied < 0 ? factor : m_kernel.add(Opcode::Multiply, m_type, {multiplied, factor});
            if (bits > 1)
                factor = square(factor);
        }
        return multiplied;
    }

    int byMultiplication(int first, int exponent) {
        if (exponent == 4)
            return square(square(first));
        int multiplied = first;
        for (int i = 1; i < exponent; ++i)
            multiplied = m_kernel.add(Opcode::Multiply, m_type, {multiplied, first});
        return multiplied;
    }

    // To the power of 0.5, 0.75 or 1.5.
    int byRoots(int first, double exponent) {
        const int root = m_kernel.add(Opcode::Sqrt, m_type, {first});
        const int other = exponent == 0.75 ? m_kernel.add(Opcode::Sqrt, m_type, {root}) : first;
        return exponent == 0.5 ? root : m_kernel.add(Opcode::Multiply, m_type, {root, other});
    }

    int scaledSum(int first) {
        const GraphArgument *alpha = m_node.argument(-1, "alpha");
        const int second = argument(1);
        if (second < 0)
            return second;
        const double factor = alpha != nullptr ? alpha->number : 1;
        if (m_op == QLatin1String("rsub"))
            return m_kernel.add(Opcode::Subtract, m_type,
                                {second, m_kernel.add(Opcode::Multiply, m_type, {first, number(factor)})});
        return m_kernel.add(m_op == QLatin1String("add") ? Opcode::Add : Opcode::Subtract, m_type,
                            {first, m_kernel.add(Opcode::Multiply, m_type, {second, number(factor)})});
    }

    // With rounding_mode trunc or floor.
    int roundedQuotient(int first) {
        const int second = argument(1);
        if (second < 0)
            return second;
        const GraphArgument *mode = m_node.argument(-1, "rounding_mode");
        const bool isFloor = mode != nullptr && mode->word == QLatin1String("floor");
        if (isFloating(m_type))
            return m_kernel.add(isFloor ? Opcode::Floor : Opcode::Trunc, m_type,
                                {m_kernel.add(Opcode::Divide, m_type, {first, second})});
        const int rest = m_kernel.add(Opcode::Remainder, m_type, {first, second});
        const int whole = isFloor ? m_kernel.add(Opcode::Subtract, m_type, {first, rest}) : first;
        return m_kernel.add(Opcode::Divide, m_type, {whole, second});
    }

    // NaN loses against any number.
    int extremeIgnoringNan(int first) {
        const int second = argument(1);
        if (second < 0)
            return second;
        const auto isNone = [this](int step) {
            return m_kernel.add(Opcode::NotEqual, ElementType::Bool, {step, step});
        };
        const int extreme = m_kernel.add(m_op == QLatin1String("fmax") ? Opcode::Maximum : Opcode::Minimum,
                                         m_type, {first, second});
        const int sure = m_kernel.add(Opcode::Select, m_type, {isNone(second), first, extreme});
        return m_kernel.add(Opcode::Select, m_type, {isNone(first), second, sure});
    }

    int timesPowerOf2(int first) {
        const int second = argument(1);
        return second < 0 ? second
                          : m_kernel.add(Opcode::Multiply, m_type,
                                         {first, m_kernel.add(Opcode::Exp2, m_type, {second})});
    }

    LoweringContext &m_context;
    Kernel &m_kernel;
    const GraphNode &m_node;
    const AffineMap &m_map;
    QString m_op;
    ElementType m_type;
};

const SpecialPointwise::Handler SpecialPointwise::handlers[] = {
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
    {"fmax", &SpecialPointwise::extremeIgnoringNan},
    {"fmin", &SpecialPointwise::extremeIgnoringNan},
    {"ldexp", &SpecialPointwise::timesPowerOf2},
};

} // namespace

int lowerSpecialPointwise(LoweringContext &context, const GraphNode &node, const AffineMap &map) {
    if (const auto step = lowerConstant(context, node, map))
        return *step;
    return SpecialPointwise(context, node, map).run();
}

} // namespace warpwright
