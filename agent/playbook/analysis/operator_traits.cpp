// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/operator_traits.h"

#include "agent/playbook/analysis/view_maps.h"

#include <QHash>

namespace warpwright {

QString opNameOf(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0);
}

std::optional<Opcode> bitwiseOpcode(QString word) {
    static const QHash<QString, Opcode> words = {
        {QStringLiteral("and"), Opcode::BitAnd},       {QStringLiteral("or"), Opcode::BitOr},
        {QStringLiteral("xor"), Opcode::BitXor},       {QStringLiteral("left_shift"), Opcode::ShiftLeft},
        {QStringLiteral("lshift"), Opcode::ShiftLeft}, {QStringLiteral("right_shift"), Opcode::ShiftRight},
        {QStringLiteral("rshift"), Opcode::ShiftRight}};
    if (word.startsWith(QLatin1String("bitwise_")))
        word.remove(0, 8);
    else if (word.startsWith(QLatin1String("__")) && word.endsWith(QLatin1String("__")))
        word = word.mid(2, word.size() - 4);
    else
        return std::nullopt;
    const auto found = words.constFind(word);
    return found == words.constEnd() ? std::nullopt : std::optional(*found);
}

bool isBitwise(const QString &word) {
    return word == QLatin1String("bitwise_not") || bitwiseOpcode(word);
}

bool isSpecialPointwise(const QString &word) {
    static const QStringList known = {
        QStringLiteral("_to_copy"),   QStringLiteral("prims.convert_element_type"),
        QStringLiteral("prims"),      QStringLiteral("relu"),
        QStringLiteral("rsqrt"),      QStringLiteral("reciprocal"),
        QStringLiteral("square"),     QStringLiteral("clamp"),
        QStringLiteral("clamp_min"),  QStringLiteral("clamp_max"),
        QStringLiteral("gt"),         QStringLiteral("ge"),
        QStringLiteral("pow"),        QStringLiteral("rsub"),
        QStringLiteral("add"),        QStringLiteral("sub"),
        QStringLiteral("isnan"),      QStringLiteral("isinf"),
        QStringLiteral("div"),        QStringLiteral("sign"),
        QStringLiteral("signbit"),    QStringLiteral("fmax"),
        QStringLiteral("fmin"),       QStringLiteral("ldexp"),
        QStringLiteral("logical_xor")};
    return known.contains(word) || isBitwise(word);
}

bool isPointwise(const GraphNode &node) {
    return (opcodeFromName(node.op) && !node.op.endsWith(QLatin1Char('_'))) ||
           isSpecialPointwise(opNameOf(node));
}

bool isKnownReduction(const GraphNode &node) {
    static const QStringList words = {QStringLiteral("sum"),  QStringLiteral("mean"), QStringLiteral("amax"),
                                      QStringLiteral("amin"), QStringLiteral("prod"), QStringLiteral("any"),
                                      QStringLiteral("all"),  QStringLiteral("var")};
    return words.contains(opNameOf(node)) || node.op == QLatin1String("max") ||
           node.op == QLatin1String("min");
}

std::vector<std::size_t> reducedDimensions(const ReferenceGraph &graph, const GraphNode &node) {
    const Shape &from = graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape;
    std::vector<bool> isReduced(from.size(), false);
    const GraphArgument *asked = node.argument(1, "dim");
    Shape dimensions = asked == nullptr || asked->kind == GraphArgument::Kind::None ||
                               node.op == QLatin1String("sum") || node.op == QLatin1String("mean")
                           ? Shape()
                           : asked->integers();
    if (dimensions.empty())
        isReduced.assign(from.size(), true);
    for (const std::int64_t dimension : dimensions)
        if (!from.empty())
            isReduced[dimensionOf(static_cast<double>(dimension), from.size())] = true;
    std::vector<std::size_t> found;
    for (std::size_t d = 0; d < from.size(); ++d)
        if (isReduced[d])
            found.push_back(d);
    return found;
}

} // namespace warpwright
