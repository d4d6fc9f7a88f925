// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/sort_builder.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/node_lowering.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 40; ///< of an element; with more, it is materialized before the sort
constexpr std::int64_t leastRow = 2;
constexpr std::int64_t mostRowElements = 8192; ///< that fit the registers of a block; half of them if 64-bit

const GraphNode &nodeAt(const ReferenceGraph &graph, int position) {
    return graph.nodes[static_cast<std::size_t>(position)];
}

bool isTopK(const GraphNode &node) {
    return opNameOf(node) == QLatin1String("topk");
}

/// The argument by position or by name; `usual` where it is not given.
double numberOf(const GraphNode &node, int position, const char *name, double usual) {
    const GraphArgument *given = node.argument(position, name);
    return given != nullptr && given->kind == GraphArgument::Kind::Number ? given->number : usual;
}

bool truthOf(const GraphNode &node, int position, const char *name, bool usual) {
    const GraphArgument *given = node.argument(position, name);
    return given != nullptr && given->kind == GraphArgument::Kind::Truth ? given->truth : usual;
}

// sort.stable(x, *, stable, dim, descending), topk(x, k, dim, largest, sorted)
constexpr int byName = 99; // no argument has this position

SortedRows sizesOf(const GraphNode &sort, std::int64_t columns) {
    SortedRows sizes;
    sizes.kept = isTopK(sort)
                     ? static_cast<std::int64_t>(numberOf(sort, 1, "k", static_cast<double>(columns)))
                     : columns;
    sizes.isDescending =
        isTopK(sort) ? truthOf(sort, 3, "largest", true) : truthOf(sort, byName, "descending", false);
    sizes.isStable = !isTopK(sort) && truthOf(sort, byName, "stable", false);
    return sizes;
}

/// The results that are read: a node that selects each; -1: unread.
struct Results {
    int values = -1;
    int positions = -1;

    [[nodiscard]] int &of(const GraphNode &item) {
        return item.arguments[1].number == 0 ? values : positions;
    }
};

Results resultsOf(const ReferenceGraph &graph, int sort, int asked) {
    std::vector<bool> isRead(graph.nodes.size(), false);
    for (const GraphNode &node : graph.nodes)
        forEachTensor(node, [&isRead](const GraphArgument &argument) {
            isRead[static_cast<std::size_t>(argument.node)] = true;
        });
    for (const int output : graph.outputs)
        isRead[static_cast<std::size_t>(output)] = true;
    Results results;
    results.of(nodeAt(graph, asked)) = asked;
    for (int position = sort + 1; position < static_cast<int>(graph.nodes.size()); ++position) {
        const GraphNode &node = nodeAt(graph, position);
        if (!isRead[static_cast<std::size_t>(position)] || !isSortResult(graph, node) ||
            node.arguments[0].node != sort)
            continue;
        int &result = results.of(node);
        result = result < 0 ? position : result;
    }
    return results;
}

/// Coalesced, and without gathers.
bool readsCoalesced(const Kernel &kernel) {
    return std::all_of(kernel.inputs.begin(), kernel.inputs.end(), [](const KernelInput &input) {
        return input.isPlain() && std::abs(input.address.steps.back()) <= 1;
    });
}

/// Whether the sort kernel computes the elements, of a tensor of this type, as it reads them.
bool canFuseElements(const Kernel &kernel, int step, ElementType type) {
    const bool isExact = type == ElementType::Float32 || type == ElementType::Float64;
    const bool isLoad = isPlainLoad(kernel, step);
    // Elements that are rounded to a narrower type before they are compared are stored first.
    if (!isExact && !(isLoad && kernel.inputs[0].type == type))
        return false;
    return !kernel.inputs.empty() && !kernel.hasReductions() && kernel.steps.size() <= mostSteps &&
           readsCoalesced(kernel);
}

std::vector<AffineExpr *> readIndices(Kernel &kernel) {
    std::vector<AffineExpr *> all;
    for (KernelInput &input : kernel.inputs)
        all.push_back(&input.address);
    for (KernelStep &step : kernel.steps)
        if (step.op == Opcode::Index)
            all.push_back(&step.index);
    return all;
}

/// As few loops over rows as every address allows, and one at least.
void mergeRows(Kernel &kernel) {
    const std::vector<AffineExpr *> all = readIndices(kernel);
    const auto drop = [&](std::size_t loop) {
        for (AffineExpr *index : all)
            index->steps.erase(index->steps.begin() + static_cast<std::ptrdiff_t>(loop));
        kernel.loops.erase(kernel.loops.begin() + static_cast<std::ptrdiff_t>(loop));
        --kernel.outer;
    };
    for (std::size_t k = kernel.outer; k-- > 0;)
        if (kernel.loops[k] == 1)
            drop(k);
    for (std::size_t k = kernel.outer; k-- > 1;) {
        const bool isOne = std::all_of(all.begin(), all.end(), [&](const AffineExpr *index) {
            return index->steps[k - 1] == index->steps[k] * kernel.loops[k];
        });
        if (!isOne)
            continue;
        kernel.loops[k] *= kernel.loops[k - 1];
        drop(k - 1);
    }
    if (kernel.outer > 0)
        return;
    for (AffineExpr *index : all)
        index->steps.insert(index->steps.begin(), 0);
    kernel.loops.insert(kernel.loops.begin(), 1);
    kernel.outer = 1;
}

} // namespace

bool isSort(const ReferenceGraph &graph, const GraphNode &node) {
    if (node.op != QLatin1String("sort.stable") && !isTopK(node))
        return false;
    const GraphNode &rows = nodeAt(graph, node.arguments[0].node);
    if (rows.shape.empty() || rows.type == ElementType::Bool || rows.shape.back() < leastRow ||
        rows.shape.back() > (bytesOf(rows.type) == 8 ? mostRowElements / 2 : mostRowElements))
        return false;
    const double dimension = isTopK(node) ? numberOf(node, 2, "dim", -1) : numberOf(node, byName, "dim", -1);
    const SortedRows sizes = sizesOf(node, rows.shape.back());
    return dimensionOf(dimension, rows.shape.size()) + 1 == rows.shape.size() && sizes.kept > 0 &&
           sizes.kept <= rows.shape.back();
}

bool isSortResult(const ReferenceGraph &graph, const GraphNode &node) {
    return node.op == QLatin1String("getitem") && isSort(graph, nodeAt(graph, node.arguments[0].node));
}

StructuredKernel sortKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    const int sort = nodeAt(graph, node).arguments[0].node;
    const int rows = nodeAt(graph, sort).arguments[0].node;
    const GraphNode &what = nodeAt(graph, rows);
    StructuredKernel answer;
    NodeLowering lowering(graph, known, what.shape, what.shape.size() - 1);
    const LoweringResult found = lowering.lower(rows, identityMap(what.shape.size(), what.shape.size()));
    Kernel kernel = std::move(lowering.kernel());
    if (!std::holds_alternative<Lowered>(found)) { // a library's result first, or all of it
        const auto *needed = std::get_if<NeedsBuffer>(&found);
        answer.prerequisite = needed != nullptr ? needed->node : rows;
        return answer;
    }
    const int step = kernel.converted(stepOf(found), computeType(what.type));
    const Results results = resultsOf(graph, sort, node);
    const auto store = [&](int result, int &position) {
        if (result < 0)
            return;
        position = static_cast<int>(kernel.stores.size());
        kernel.stores.push_back({step, -1, nodeAt(graph, result).type, {}});
        answer.results.push_back(result);
    };
    SortedRows sorted = sizesOf(nodeAt(graph, sort), what.shape.back());
    store(results.values, sorted.values);
    store(results.positions, sorted.positions);
    // Equal integers are indistinguishable: without positions their order does not matter.
    sorted.isStable = sorted.positions >= 0 || (sorted.isStable && isFloating(what.type));
    kernel.eliminateDeadCode();
    if (!known.contains(rows) && !canFuseElements(kernel, kernel.stores[0].step, what.type)) {
        answer.prerequisite = rows;
        return answer;
    }
    mergeRows(kernel);
    std::vector<std::int64_t> steps(kernel.loops.size(), 1);
    for (std::size_t k = kernel.outer; k-- > 0;)
        steps[k] = steps[k + 1] * (k + 1 == kernel.outer ? sorted.kept : kernel.loops[k + 1]);
    for (KernelStore &each : kernel.stores)
        each.address = {0, steps};
    kernel.structuredOp = sorted;
    answer.layout = contiguousLayout(nodeAt(graph, node).shape);
    answer.kernel = std::move(kernel);
    return answer;
}

} // namespace warpwright
