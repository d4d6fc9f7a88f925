// SPDX-License-Identifier: GPL-3.0-or-later
// From a graph to its program: graph passes, loops over time, planning, and passes over the whole program.
#include "agent/playbook/lowering/program_builder.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/fusion/alias_slices.h"
#include "agent/playbook/fusion/split_reduction.h"
#include "agent/playbook/graph_passes/graph_pipeline.h"
#include "agent/playbook/lowering/materialize_residuals.h"
#include "agent/playbook/lowering/planner.h"
#include "agent/playbook/recurrence/cell_matmul.h"
#include "agent/playbook/recurrence/fuse_loop_consumers.h"
#include "agent/playbook/recurrence/loop_operator.h"
#include "agent/playbook/recurrence/loop_planner.h"
#include "agent/playbook/recurrence/persistent_loop.h"
#include "agent/playbook/recurrence/store_outputs_directly.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

Program programWithoutLoops(const ReferenceGraph &graph, const SharedDevice &device,
                            const ProgramChoices &choices) {
    const auto plannedWith = [&](const ReferenceGraph &variant, const std::vector<int> &residuals) {
        Program program = programOfNodes(variant, device, choices, true, residuals);
        // Consumers may find no loops for a free layout: torch's layouts suit all.
        if (!program.unsupported.isEmpty())
            program = programOfNodes(variant, device, choices, false, residuals);
        return program;
    };
    const auto planned = [&](const ReferenceGraph &variant) {
        const std::vector<int> residuals = materializedResiduals(variant, false);
        Program program = plannedWith(variant, residuals);
        const std::vector<int> fewer = materializedResiduals(variant, true);
        if (!choices.hasSm90Matmuls || fewer == residuals)
            return program;
        // One kernel may compute the sum of two matmuls together with its consumers.
        Program other = plannedWith(variant, fewer);
        return other.unsupported.isEmpty() && other.bytes() < program.bytes() ? other : program;
    };
    const ReferenceGraph rewritten = runGraphPasses(graph, choices);
    Program program = planned(rewritten);
    if (!program.unsupported.isEmpty() && rewritten != graph)
        program = planned(graph);
    return program;
}

// More would overflow the stack, and be thousands of kernels.
constexpr std::ptrdiff_t mostOperators = 4000;

QString mostFrequentOperator(const ReferenceGraph &graph) {
    std::map<QString, int> counts;
    for (const GraphNode &node : graph.nodes)
        if (node.kind == GraphNode::Kind::Operator && !isView(node))
            ++counts[opNameOf(node)];
    const auto most = std::max_element(counts.begin(), counts.end(), [](const auto &one, const auto &other) {
        return one.second < other.second;
    });
    return most == counts.end() ? QString() : most->first;
}

Program programWithLoops(const ReferenceGraph &graph, const SharedDevice &device,
                         const ProgramChoices &choices, bool mayRewrite) {
    Program program;
    program.unsupported = graph.unsupported;
    if (!graph.unsupported.isEmpty())
        return program;
    const auto loop = programOfLoop(
        graph, mayRewrite,
        [&](const ReferenceGraph &timeStep) { return programWithoutLoops(timeStep, device, choices); },
        [&](const ReferenceGraph &part, bool may) { return programWithLoops(part, device, choices, may); });
    if (loop && (loop->unsupported.isEmpty() || findLoopOperator(graph))) // a loop operator has no other form
        return *loop;
    const auto operators = std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const GraphNode &node) {
        return node.kind == GraphNode::Kind::Operator;
    });
    if (operators <= mostOperators)
        program = programWithoutLoops(graph, device, choices);
    else
        program.unsupported =
            QStringLiteral("its forward is %1 operators, most of them «%2», and the limit is %3: a loop "
                           "whose time steps differ is unrolled")
                .arg(operators)
                .arg(mostFrequentOperator(graph))
                .arg(mostOperators);
    if (!program.unsupported.isEmpty() && loop)
        program.unsupported += QStringLiteral(" (as a loop: %1)").arg(loop->unsupported);
    return program;
}

} // namespace

Program programOf(const ReferenceGraph &graph, const SharedDevice &device, const ProgramChoices &choices) {
    Q_ASSERT(device);
    Program program = programWithLoops(graph, device, choices, true);
    program.device = device; // also if it is unsupported
    if (program.unsupported.isEmpty()) {
        fusePersistentLoops(program);
        splitLongReductions(program);
        storeOutputsDirectly(program);
        fuseLoopConsumers(program);
        fuseCellMatmuls(program);
        aliasSlices(program);
    }
    return program;
}

} // namespace warpwright
