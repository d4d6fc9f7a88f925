// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <vector>

/// A reference as a graph of torch operators, as resources/playbook/read_reference.py prints it: values.
namespace warpwright {

using Shape = std::vector<std::int64_t>;

/// One argument of an operator.
struct GraphArgument {
    enum class Kind { None, Node, Number, Truth, Type, List, Other };

    Kind kind = Kind::None;
    int node = -1;      ///< Node: its position in the graph
    double number = 0;  ///< Number
    bool truth = false; ///< Truth
    ElementType type = ElementType::Float32;
    std::vector<GraphArgument> items; ///< List
    QString word;                     ///< Other: the string, if it is one

    [[nodiscard]] Shape integers() const; ///< the elements of a list, or the one number
    bool operator==(const GraphArgument &) const = default;
};

/// Arguments of operators that rewriting creates.
[[nodiscard]] GraphArgument nodeArgument(int node);
[[nodiscard]] GraphArgument numberArgument(double number);
[[nodiscard]] GraphArgument listArgument(const Shape &numbers);

/// A tensor of the graph, and what computes it. `name` and `path` are for emitted text only: no decision
/// depends on them.
struct GraphNode {
    enum class Kind { Input, Parameter, Buffer, Operator };

    Kind kind = Kind::Operator;
    QString name;
    QString path;         ///< of a parameter or buffer: "norm.weight"
    bool isStored = true; ///< in the state_dict
    int position = 0;     ///< of an input: which argument of forward
    QString op;           ///< "add", "sum.dim_IntList": torch's name without its library
    std::vector<GraphArgument> arguments;
    std::vector<std::pair<QString, GraphArgument>> keywords;
    bool isTensor = true; ///< false: several results, picked by getitem
    Shape shape;
    Shape strides; ///< in elements
    std::int64_t offset = 0;
    ElementType type = ElementType::Float32;

    [[nodiscard]] const GraphArgument *argument(int index, const char *keyword = nullptr) const;
    bool operator==(const GraphNode &) const = default;
};

/// The structure of what forward returns.
struct ResultShape {
    enum class Kind { Tensor, Tuple, List, Dict };

    Kind kind = Kind::Tensor;
    int output = 0; ///< Tensor: its index among the outputs
    QStringList keys;
    std::vector<ResultShape> items;

    bool operator==(const ResultShape &) const = default;
};

struct ReferenceGraph {
    std::vector<GraphNode> nodes; ///< in topological order
    std::vector<int> outputs;
    ResultShape result;
    QStringList argumentNames; ///< of forward
    int inputCount = 0;        ///< number of arguments of forward, tensors or not
    QStringList notes;         ///< rewrites that are equivalent for all values
    QString unsupported;       ///< set: it could not be read, because …; all else is empty

    bool operator==(const ReferenceGraph &) const = default;
};

/// Calls visit(argument) for each tensor argument of the node, also within lists.
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

/// Whether `node` depends on `other`, directly or not; a node depends on itself.
[[nodiscard]] bool dependsOn(const ReferenceGraph &graph, int node, int other);
[[nodiscard]] std::int64_t elementCount(const Shape &shape);
[[nodiscard]] Shape contiguousStrides(const Shape &shape);

} // namespace warpwright
