// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with a graph before its nodes are planned, and around: other words for some of them, loops
// over time.
#include "agent/playbook/lowering/plan_of_graph.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/fusion/parts_in_place.h"
#include "agent/playbook/fusion/sum_splitting.h"
#include "agent/playbook/graph_passes/rewritten_graph.h"
#include "agent/playbook/lowering/plan_of_nodes.h"
#include "agent/playbook/lowering/residual_sums.h"
#include "agent/playbook/recurrence/repeated_plan.h"
#include "agent/playbook/recurrence/turn_merging.h"
#include "agent/playbook/recurrence/turn_product.h"
#include "agent/playbook/recurrence/turn_readers.h"
#include "agent/playbook/recurrence/turn_results.h"
#include "agent/playbook/recurrence/written_loop.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

KernelPlan planOfOnce(const ReferenceGraph &graph, const PlanChoices &choices) {
    const auto plannedWith = [&choices](const ReferenceGraph &words, const std::vector<int> &residuals) {
        KernelPlan plan = planOfNodes(words, choices, true, residuals);
        // What lies in an order of ours may be read in one that no loops follow: torch's suits all.
        if (!plan.cannot.isEmpty())
            plan = planOfNodes(words, choices, false, residuals);
        return plan;
    };
    const auto planned = [&](const ReferenceGraph &words) {
        const std::vector<int> residuals = residualSums(words, false);
        KernelPlan plan = plannedWith(words, residuals);
        const std::vector<int> fewer = residualSums(words, true);
        if (!choices.hasOwnProducts || fewer == residuals)
            return plan;
        // One kernel may make the sums of two products with all that their readers make of them.
        KernelPlan other = plannedWith(words, fewer);
        return other.cannot.isEmpty() && other.bytes() < plan.bytes() ? other : plan;
    };
    const ReferenceGraph rewritten = rewrittenGraph(graph, choices);
    KernelPlan plan = planned(rewritten);
    if (!plan.cannot.isEmpty() && rewritten != graph)
        plan = planned(graph);
    return plan;
}

// More would fill the stack, and be thousands of kernels.
constexpr std::ptrdiff_t mostOperators = 4000;

QString mostFrequentWord(const ReferenceGraph &graph) {
    std::map<QString, int> counts;
    for (const GraphNode &node : graph.nodes)
        if (node.kind == GraphNode::Kind::Operator && !isView(node))
            ++counts[wordOf(node)];
    const auto most = std::max_element(counts.begin(), counts.end(), [](const auto &one, const auto &other) {
        return one.second < other.second;
    });
    return most == counts.end() ? QString() : most->first;
}

KernelPlan planOfAny(const ReferenceGraph &graph, const PlanChoices &choices, bool mayRewrite) {
    KernelPlan plan;
    plan.cannot = graph.cannot;
    if (!graph.cannot.isEmpty())
        return plan;
    const auto loop = planOfLoop(
        graph, mayRewrite, [&](const ReferenceGraph &turn) { return planOfOnce(turn, choices); },
        [&](const ReferenceGraph &part, bool may) { return planOfAny(part, choices, may); });
    if (loop && (loop->cannot.isEmpty() || writtenLoop(graph))) // that one has no other form
        return *loop;
    const auto operators = std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const GraphNode &node) {
        return node.kind == GraphNode::Kind::Operator;
    });
    if (operators <= mostOperators)
        plan = planOfOnce(graph, choices);
    else
        plan.cannot =
            QStringLiteral("its forward is %1 operators, most of them «%2», and %3 are the most here: a loop "
                           "whose turns are not alike is written out")
                .arg(operators)
                .arg(mostFrequentWord(graph))
                .arg(mostOperators);
    if (!plan.cannot.isEmpty() && loop)
        plan.cannot += QStringLiteral(" (as a loop: %1)").arg(loop->cannot);
    return plan;
}

} // namespace

KernelPlan planOf(const ReferenceGraph &graph, const PlanChoices &choices) {
    PlanChoices bound = choices;
    if (bound.device == nullptr) {
        const Result<const Device *> &usual = usualDevice();
        if (!usual.hasValue()) {
            KernelPlan none;
            none.choices = choices;
            none.cannot = usual.message();
            return none;
        }
        bound.device = usual.value();
    }
    KernelPlan plan = planOfAny(graph, bound, true);
    if (plan.cannot.isEmpty()) {
        mergeTurns(plan);
        splitLongSums(plan);
        leaveTurnsInResults(plan);
        foldTurnReaders(plan);
        foldTurnProducts(plan);
        readPartsInPlace(plan);
    }
    return plan;
}

} // namespace warpwright
