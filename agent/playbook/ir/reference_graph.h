// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <vector>

/// A reference as a graph of torch's operators, as resources/playbook/read_reference.py reads it: values.
namespace warpwright {

using Shape = std::vector<std::int64_t>;

/// One argument of an operator.
struct GraphArgument {
    enum class Kind { None, Node, Number, Truth, Type, List, Other };

    Kind kind = Kind::None;
    int node = -1;      ///< Node: its place in the graph
    double number = 0;  ///< Number
    bool truth = false; ///< Truth
    ElementType type = ElementType::Float32;
    std::vector<GraphArgument> items; ///< List
    QString word;                     ///< Other: where it is a text

    [[nodiscard]] Shape integers() const; ///< of a list of numbers, or of one number
    bool operator==(const GraphArgument &) const = default;
};

/// Arguments of operators that a plan writes itself.
[[nodiscard]] GraphArgument nodeArgument(int node);
[[nodiscard]] GraphArgument numberArgument(double number);
[[nodiscard]] GraphArgument listArgument(const Shape &numbers);

/// A tensor of the graph, and how it comes to be. `name` and `path` are for the emitted text alone: no plan
/// looks at them.
struct GraphNode {
    enum class Kind { Input, Parameter, Buffer, Operator };

    Kind kind = Kind::Operator;
    QString name;
    QString path;         ///< of a parameter or buffer: "norm.weight"
    bool isStored = true; ///< in the state_dict
    int position = 0;     ///< of an input: which argument of forward
    QString op;           ///< "add", "sum.dim_IntList": torch's word without its library
    std::vector<GraphArgument> arguments;
    std::vector<std::pair<QString, GraphArgument>> keywords;
    bool isTensor = true; ///< false: several results, to be picked by getitem
    Shape shape;
    Shape strides; ///< in elements
    std::int64_t offset = 0;
    ElementType type = ElementType::Float32;

    [[nodiscard]] const GraphArgument *argument(int index, const char *keyword = nullptr) const;
    bool operator==(const GraphNode &) const = default;
};

/// How forward packs its results.
struct ResultShape {
    enum class Kind { Tensor, Tuple, List, Dict };

    Kind kind = Kind::Tensor;
    int output = 0; ///< Tensor: its place among the outputs
    QStringList keys;
    std::vector<ResultShape> items;

    bool operator==(const ResultShape &) const = default;
};

struct ReferenceGraph {
    std::vector<GraphNode> nodes; ///< each after those it needs
    std::vector<int> outputs;
    ResultShape result;
    QStringList argumentNames; ///< of forward
    int inputCount = 0;        ///< arguments of forward, tensors or not
    QStringList notes;         ///< what it says in other words than the reference, which hold for all values
    QString unsupported;       ///< set: it could not be read, because …; nothing else is

    bool operator==(const ReferenceGraph &) const = default;
};

/// Each argument of the node that is a tensor of the graph, lists looked into: visit(argument).
template <typename Node, typename Visit>
void forEachTensor(Node &node, const Visit &visit) {
    const std::function<void(decltype(node.arguments[0]))> descend = [&](auto &argument) {
        if (argument.kind == GraphArgument::Kind::Node)
            visit(argument);
        for (auto &item : argument.items)
            descend(item);
    };
    for (auto &argument : node.arguments)
        descend(argument);
    for (auto &keyword : node.keywords)
        descend(keyword.second);
}

/// Whether `other` is needed, on whatever way, to compute `node`; a node needs itself.
[[nodiscard]] bool dependsOn(const ReferenceGraph &graph, int node, int other);
[[nodiscard]] std::int64_t elementCount(const Shape &shape);
[[nodiscard]] Shape contiguousStrides(const Shape &shape);

} // namespace warpwright
