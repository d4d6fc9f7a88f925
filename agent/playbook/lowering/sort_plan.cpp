// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/sort_plan.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 40; ///< of an element; with more, what it is made of is read twice at ease
constexpr std::int64_t leastRow = 2;
constexpr std::int64_t mostOfRow =
    8192; ///< elements that a block has registers for, half of them with 64 bits

const GraphNode &nodeAt(const ReferenceGraph &graph, int place) {
    return graph.nodes[static_cast<std::size_t>(place)];
}

bool isTopK(const GraphNode &node) {
    return wordOf(node) == QLatin1String("topk");
}

/// The argument by place or by name; `usual` where it is not given.
double numberOf(const GraphNode &node, int place, const char *name, double usual) {
    const GraphArgument *given = node.argument(place, name);
    return given != nullptr && given->kind == GraphArgument::Kind::Number ? given->number : usual;
}

bool truthOf(const GraphNode &node, int place, const char *name, bool usual) {
    const GraphArgument *given = node.argument(place, name);
    return given != nullptr && given->kind == GraphArgument::Kind::Truth ? given->truth : usual;
}

// sort.stable(x, *, stable, dim, descending), topk(x, k, dim, largest, sorted)
constexpr int byName = 99; // no argument's place

SortSizes sizesOf(const GraphNode &sort, std::int64_t columns) {
    SortSizes sizes;
    sizes.kept = isTopK(sort)
                     ? static_cast<std::int64_t>(numberOf(sort, 1, "k", static_cast<double>(columns)))
                     : columns;
    sizes.isDescending =
        isTopK(sort) ? truthOf(sort, 3, "largest", true) : truthOf(sort, byName, "descending", false);
    sizes.isStable = !isTopK(sort) && truthOf(sort, byName, "stable", false);
    return sizes;
}

/// The results that somebody reads: a node that picks each; -1: nobody.
struct Results {
    int values = -1;
    int places = -1;

    [[nodiscard]] int &of(const GraphNode &item) { return item.arguments[1].number == 0 ? values : places; }
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
    for (int place = sort + 1; place < static_cast<int>(graph.nodes.size()); ++place) {
        const GraphNode &node = nodeAt(graph, place);
        if (!isRead[static_cast<std::size_t>(place)] || !isSortedRows(graph, node) ||
            node.arguments[0].node != sort)
            continue;
        int &result = results.of(node);
        result = result < 0 ? place : result;
    }
    return results;
}

/// A thread's neighbours read neighbours, and nothing is looked up.
bool readsAlong(const FusedKernel &kernel) {
    return std::all_of(kernel.leaves.begin(), kernel.leaves.end(), [](const KernelLeaf &leaf) {
        return leaf.isPlain() && std::abs(leaf.address.steps.back()) <= 1;
    });
}

/// Whether the elements, of a tensor of this type, are read and computed by the kernel that sorts them.
bool isTakenIn(const FusedKernel &kernel, int step, ElementType type) {
    const bool isExact = type == ElementType::Float32 || type == ElementType::Float64;
    const bool isLoad = isPlainLoad(kernel, step);
    // What is rounded to fewer bits before it is compared has to be stored first.
    if (!isExact && !(isLoad && kernel.leaves[0].type == type))
        return false;
    return !kernel.leaves.empty() && !kernel.hasReductions() && kernel.steps.size() <= mostSteps &&
           readsAlong(kernel);
}

std::vector<AffineIndex *> readIndices(FusedKernel &kernel) {
    std::vector<AffineIndex *> all;
    for (KernelLeaf &leaf : kernel.leaves)
        all.push_back(&leaf.address);
    for (KernelStep &step : kernel.steps)
        if (step.op == KernelOp::Index)
            all.push_back(&step.index);
    return all;
}

/// As few loops over rows as every address allows, and one at least.
void mergeRows(FusedKernel &kernel) {
    const std::vector<AffineIndex *> all = readIndices(kernel);
    const auto drop = [&](std::size_t loop) {
        for (AffineIndex *index : all)
            index->steps.erase(index->steps.begin() + static_cast<std::ptrdiff_t>(loop));
        kernel.loops.erase(kernel.loops.begin() + static_cast<std::ptrdiff_t>(loop));
        --kernel.outer;
    };
    for (std::size_t k = kernel.outer; k-- > 0;)
        if (kernel.loops[k] == 1)
            drop(k);
    for (std::size_t k = kernel.outer; k-- > 1;) {
        const bool isOne = std::all_of(all.begin(), all.end(), [&](const AffineIndex *index) {
            return index->steps[k - 1] == index->steps[k] * kernel.loops[k];
        });
        if (!isOne)
            continue;
        kernel.loops[k] *= kernel.loops[k - 1];
        drop(k - 1);
    }
    if (kernel.outer > 0)
        return;
    for (AffineIndex *index : all)
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
        rows.shape.back() > (bytesOf(rows.type) == 8 ? mostOfRow / 2 : mostOfRow))
        return false;
    const double dimension = isTopK(node) ? numberOf(node, 2, "dim", -1) : numberOf(node, byName, "dim", -1);
    const SortSizes sizes = sizesOf(node, rows.shape.back());
    return dimensionOf(dimension, rows.shape.size()) + 1 == rows.shape.size() && sizes.kept > 0 &&
           sizes.kept <= rows.shape.back();
}

bool isSortedRows(const ReferenceGraph &graph, const GraphNode &node) {
    return node.op == QLatin1String("getitem") && isSort(graph, nodeAt(graph, node.arguments[0].node));
}

AnchorKernel sortKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    const int sort = nodeAt(graph, node).arguments[0].node;
    const int rows = nodeAt(graph, sort).arguments[0].node;
    const GraphNode &what = nodeAt(graph, rows);
    AnchorKernel answer;
    KernelLowering lowering(graph, known, what.shape, what.shape.size() - 1);
    const LoweringResult found = lowering.lower(rows, identityMap(what.shape.size(), what.shape.size()));
    FusedKernel kernel = std::move(lowering.kernel());
    if (!std::holds_alternative<Lowered>(found)) { // a library's result first, or all of it
        const auto *needed = std::get_if<NeedsBuffer>(&found);
        answer.before = needed != nullptr ? needed->node : rows;
        return answer;
    }
    const int step = kernel.converted(stepOf(found), computedType(what.type));
    const Results results = resultsOf(graph, sort, node);
    const auto store = [&](int result, int &place) {
        if (result < 0)
            return;
        place = static_cast<int>(kernel.stores.size());
        kernel.stores.push_back({step, -1, nodeAt(graph, result).type, {}});
        answer.results.push_back(result);
    };
    kernel.sorting = sizesOf(nodeAt(graph, sort), what.shape.back());
    store(results.values, kernel.sorting.values);
    store(results.places, kernel.sorting.places);
    // Whole numbers that are equal are the same: of their values nobody sees in which order they are.
    kernel.sorting.isStable =
        kernel.sorting.places >= 0 || (kernel.sorting.isStable && isFloating(what.type));
    kernel.dropUnused();
    if (!known.contains(rows) && !isTakenIn(kernel, kernel.stores[0].step, what.type)) {
        answer.before = rows;
        return answer;
    }
    mergeRows(kernel);
    std::vector<std::int64_t> steps(kernel.loops.size(), 1);
    for (std::size_t k = kernel.outer; k-- > 0;)
        steps[k] = steps[k + 1] * (k + 1 == kernel.outer ? kernel.sorting.kept : kernel.loops[k + 1]);
    for (KernelStore &each : kernel.stores)
        each.address = {0, steps};
    kernel.anchor = Anchor::SortedRows;
    answer.layout = layoutByRows(nodeAt(graph, node).shape);
    answer.kernel = std::move(kernel);
    return answer;
}

} // namespace warpwright
