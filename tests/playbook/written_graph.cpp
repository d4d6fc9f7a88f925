// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/playbook/written_graph.h"

#include "agent/playbook/ir/graph_json.h"
#include "toolchain/base/json.h"

#include <QRegularExpression>

using namespace warpwright;

namespace {

Json parsed(const QByteArray &text) {
    const Result<Json> json = parseJson(text);
    if (!json.hasValue())
        qFatal("%s in %s", qPrintable(json.message()), text.constData());
    return json.value();
}

QByteArray textOf(const Json &json) {
    return QByteArray::fromStdString(json.dump());
}

Json tensor(const QByteArray &name, const Shape &shape, const Shape &strides, ElementType type) {
    return {{"name", name.toStdString()},
            {"shape", shape},
            {"strides", strides.empty() ? contiguousStrides(shape) : strides},
            {"dtype", toJson(elementTypeName(type))}};
}

QByteArray entry(Json tensor, const Json &more) {
    tensor.update(more);
    return textOf(tensor) + ',';
}

} // namespace

QByteArray input(const QByteArray &name, const Shape &shape, const Shape &strides, ElementType type) {
    return entry(tensor(name, shape, strides, type), {{"op", "leaf"}, {"kind", "input"}});
}

QByteArray parameter(const QByteArray &name, const Shape &shape, ElementType type) {
    return entry(tensor(name, shape, {}, type),
                 {{"op", "leaf"}, {"kind", "parameter"}, {"path", name.toStdString()}});
}

QByteArray node(const QByteArray &name, const QByteArray &op, const QByteArray &arguments, const Shape &shape,
                ElementType type, const Shape &strides) {
    static const QRegularExpression tensorName(QStringLiteral("%(\\w+)"));
    const QString given = QString::fromUtf8(arguments).replace(tensorName, R"({"node": "\1"})");
    return entry(tensor(name, shape, strides, type),
                 {{"op", "aten." + op.toStdString()}, {"args", parsed('[' + given.toUtf8() + ']')}});
}

QByteArray listOf(const Shape &numbers) {
    return textOf(numbers);
}

QByteArray graphText(const QByteArray &nodes, const QByteArray &outputs) {
    Json written = parsed('[' + nodes.chopped(1) + ']'); // without the last comma
    Json names = Json::array();
    for (Json &each : written)
        if (stringIn(each, "kind") == QLatin1String("input")) {
            each["position"] = names.size();
            names.push_back(each["name"]);
        }
    Json returned = Json::array();
    Json positions = Json::array();
    for (const QByteArray &name : outputs.split(',')) {
        positions.push_back(returned.size());
        returned.push_back({{"node", name.trimmed().toStdString()}});
    }
    const Json tuple = {{"kind", "tuple"}, {"items", positions}};
    return textOf({{"format", "warpwright.graph/1"},
                   {"argumentNames", names},
                   {"inputCount", names.size()},
                   {"structure", positions.size() == 1 ? positions[0] : tuple},
                   {"nodes", written},
                   {"outputs", returned}});
}

ReferenceGraph graphOf(const QByteArray &nodes, const QByteArray &outputs) {
    const auto graph = readReferenceGraph(graphText(nodes, outputs));
    if (!graph.hasValue())
        qFatal("%s", qPrintable(graph.message()));
    return graph.value();
}
