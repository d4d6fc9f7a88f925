// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/graph_json.h"

#include "agent/playbook/ir/input_facts.h"
#include "toolchain/base/json.h"

#include <QHash>

#include <limits>

namespace warpwright {
namespace {

const QString format = QStringLiteral("warpwright.graph/1");

Shape integersIn(const Json &object, const char *key) {
    Shape values;
    const auto found = object.find(key);
    if (found != object.end() && found->is_array())
        for (const Json &item : *found)
            if (item.is_number_integer())
                values.push_back(item.get<std::int64_t>());
    return values;
}

std::int64_t integerIn(const Json &object, const char *key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

GraphArgument argumentFrom(const Json &json, const QHash<QString, int> &positions) {
    GraphArgument argument;
    if (json.is_boolean()) {
        argument.kind = GraphArgument::Kind::Truth;
        argument.truth = json.get<bool>();
        argument.number = argument.truth ? 1 : 0;
    } else if (json.is_number()) {
        argument.kind = GraphArgument::Kind::Number;
        argument.number = json.get<double>();
    } else if (json.is_array()) {
        argument.kind = GraphArgument::Kind::List;
        for (const Json &item : json)
            argument.items.push_back(argumentFrom(item, positions));
    } else if (json.is_object() && json.contains("node")) {
        argument.kind = GraphArgument::Kind::Node;
        argument.node = positions.value(stringIn(json, "node"), -1);
    } else if (json.is_object() && json.contains("float")) {
        const QString word = stringIn(json, "float");
        argument.kind = GraphArgument::Kind::Number;
        argument.number = word == QLatin1String("nan")    ? std::numeric_limits<double>::quiet_NaN()
                          : word == QLatin1String("-inf") ? -std::numeric_limits<double>::infinity()
                                                          : std::numeric_limits<double>::infinity();
    } else if (json.is_object() && json.contains("dtype")) {
        const auto type = elementTypeFromName(stringIn(json, "dtype"));
        argument.kind = type ? GraphArgument::Kind::Type : GraphArgument::Kind::Other;
        argument.type = type.value_or(ElementType::Float32);
    } else if (!json.is_null()) {
        argument.kind = GraphArgument::Kind::Other;
        if (json.is_string())
            argument.word = fromJson(json.get<std::string>());
    }
    return argument;
}

ResultShape resultFrom(const Json &json) {
    ResultShape result;
    if (json.is_number_integer()) {
        result.output = json.get<int>();
        return result;
    }
    const QString kind = stringIn(json, "kind");
    if (kind == QLatin1String("complex"))
        return complexResult(static_cast<int>(integerIn(json, "output")));
    result.kind = kind == QLatin1String("dict")   ? ResultShape::Kind::Dict
                  : kind == QLatin1String("list") ? ResultShape::Kind::List
                                                  : ResultShape::Kind::Tuple;
    if (json.is_object() && json.contains("keys"))
        result.keys = stringsIn(json["keys"]);
    if (json.is_object() && json.contains("items"))
        for (const Json &item : json["items"])
            result.items.push_back(resultFrom(item));
    return result;
}

GraphNode nodeFrom(const Json &json, const QHash<QString, int> &positions) {
    GraphNode node;
    node.name = stringIn(json, "name");
    node.shape = integersIn(json, "shape");
    node.strides = integersIn(json, "strides");
    node.offset = integerIn(json, "offset");
    node.isTensor = json.contains("shape");
    const QString op = stringIn(json, "op");
    if (op == QLatin1String("leaf")) {
        const QString kind = stringIn(json, "kind");
        node.kind = kind == QLatin1String("input")       ? GraphNode::Kind::Input
                    : kind == QLatin1String("parameter") ? GraphNode::Kind::Parameter
                                                         : GraphNode::Kind::Buffer;
        node.path = stringIn(json, "path");
        node.position = static_cast<int>(integerIn(json, "position"));
        node.isStored = !json.contains("isStored") || json["isStored"] == true;
        readInputFacts(node, json);
        return node;
    }
    // "aten.add.Tensor" -> "add.Tensor"; ".default" is dropped.
    node.op = op.startsWith(QLatin1String("aten.")) ? op.mid(5) : op;
    if (node.op.endsWith(QLatin1String(".default")))
        node.op.chop(8);
    if (json.contains("args"))
        node.arguments = argumentFrom(json["args"], positions).items;
    if (json.contains("keywords"))
        for (const auto &[key, value] : json["keywords"].items())
            node.keywords.emplace_back(fromJson(key), argumentFrom(value, positions));
    return node;
}

} // namespace

Result<ReferenceGraph> readReferenceGraph(const QByteArray &text) {
    using Answer = Result<ReferenceGraph>;
    const Result<Json> parsed = parseJson(text);
    if (!parsed.hasValue() || stringIn(parsed.value(), "format") != format)
        return Answer::error(
            QStringLiteral("The reader of the reference printed no graph: %1")
                .arg(parsed.hasValue() ? QString::fromUtf8(text.left(200)) : parsed.message()));
    const Json &json = parsed.value();
    ReferenceGraph graph;
    graph.unsupported = stringIn(json, "cannot");
    if (!graph.unsupported.isEmpty())
        return Answer::ok(graph);
    QHash<QString, int> positions;
    for (const Json &entry : json.value("nodes", Json::array())) {
        GraphNode node = nodeFrom(entry, positions);
        if (node.isTensor) {
            const QString type = stringIn(entry, "dtype");
            const auto known = elementTypeFromName(type);
            if (!known) {
                graph.unsupported =
                    QStringLiteral("a tensor has the type %1, which no kernel here supports").arg(type);
                return Answer::ok(graph);
            }
            node.type = *known;
        }
        // Reinterpreting bits as another type is no view of elements.
        if (node.op == QLatin1String("view.dtype") && node.arguments[0].node >= 0) {
            const ElementType own = graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].type;
            if (own != node.type) {
                graph.unsupported = QStringLiteral("the bits of %1 are reinterpreted as %2")
                                        .arg(elementTypeName(own), elementTypeName(node.type));
                return Answer::ok(graph);
            }
            node.op = QStringLiteral("alias");
        }
        // data_ptr() already includes the storage offset, whose alignment matters. The candidate allocates
        // its own weights.
        constexpr std::int64_t alignedBytes = 16;
        if (node.kind == GraphNode::Kind::Input && node.offset * bytesOf(node.type) % alignedBytes != 0) {
            graph.unsupported =
                QStringLiteral(
                    "an input begins %1 elements into its storage, which is not aligned for loads of 16 "
                    "bytes")
                    .arg(node.offset);
            return Answer::ok(graph);
        }
        if (node.kind != GraphNode::Kind::Operator)
            node.offset = 0;
        positions.insert(node.name, static_cast<int>(graph.nodes.size()));
        graph.nodes.push_back(std::move(node));
    }
    for (const Json &entry : json.value("outputs", Json::array())) {
        const int position = argumentFrom(entry, positions).node;
        if (position < 0)
            return Answer::error(
                QStringLiteral("The reader of the reference named an output that does not exist."));
        graph.outputs.push_back(position);
    }
    graph.result = resultFrom(json.value("structure", Json(0)));
    graph.argumentNames = stringsIn(json.value("argumentNames", Json::array()));
    graph.notes = stringsIn(json.value("notes", Json::array()));
    graph.inputCount = static_cast<int>(integerIn(json, "inputCount"));
    return Answer::ok(std::move(graph));
}

} // namespace warpwright
