// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/candidate_text.h"

#include "agent/playbook/cpu_emitter.h"
#include "agent/playbook/cuda_emitter.h"

#include <QSet>

#include <algorithm>

namespace warpwright {
namespace {

QString shapeText(const Shape &shape) {
    QStringList parts;
    for (const std::int64_t size : shape)
        parts << QString::number(size);
    return shape.size() == 1 ? parts.front()
                             : QLatin1Char('(') + parts.join(QLatin1String(", ")) + QLatin1Char(')');
}

// "norm.weight" in forward: attributes where they are names, else by torch's own look-up.
QString access(const GraphNode &node) {
    const QStringList parts = node.path.split(QLatin1Char('.'));
    const bool isPlain = std::all_of(parts.begin(), parts.end(), [](const QString &part) {
        return !part.isEmpty() && !part[0].isDigit();
    });
    if (isPlain)
        return QStringLiteral("self.") + node.path;
    return QStringLiteral("self.%1(\"%2\")")
        .arg(node.kind == GraphNode::Kind::Parameter ? QStringLiteral("get_parameter")
                                                     : QStringLiteral("get_buffer"),
             node.path);
}

QString tensorText(const GraphNode &node) {
    const QString type = node.type == ElementType::Float32
                             ? QString()
                             : QStringLiteral(", dtype=torch.%1").arg(elementTypeName(node.type));
    return QStringLiteral("torch.empty(%1%2)").arg(shapeText(node.shape), type);
}

QString constructor(const ReferenceGraph &graph) {
    QString text;
    QSet<QString> modules;
    for (const GraphNode &node : graph.nodes) {
        if (node.kind != GraphNode::Kind::Parameter && node.kind != GraphNode::Kind::Buffer)
            continue;
        if (!node.isStored)
            continue;
        const QStringList parts = node.path.split(QLatin1Char('.'));
        QString owner = QStringLiteral("self");
        QString path;
        for (qsizetype i = 0; i + 1 < parts.size(); ++i) {
            path += (i > 0 ? QStringLiteral(".") : QString()) + parts[i];
            if (!modules.contains(path)) {
                modules.insert(path);
                text += QStringLiteral("        %1.add_module(\"%2\", nn.Module())\n").arg(owner, parts[i]);
            }
            owner = QStringLiteral("self.get_submodule(\"%1\")").arg(path);
        }
        if (node.kind == GraphNode::Kind::Parameter)
            text += QStringLiteral("        %1.register_parameter(\"%2\", nn.Parameter(%3%4))\n")
                        .arg(owner, parts.back(), tensorText(node),
                             isFloating(node.type) ? QString() : QStringLiteral(", requires_grad=False"));
        else
            text += QStringLiteral("        %1.register_buffer(\"%2\", %3)\n")
                        .arg(owner, parts.back(), tensorText(node));
    }
    return text;
}

bool hasCalls(const KernelPlan &plan) {
    return std::any_of(plan.kernels.begin(), plan.kernels.end(),
                       [](const FusedKernel &kernel) { return kernel.anchor != Anchor::None; });
}

QString resultText(const ResultShape &result, const QStringList &outputs) {
    if (result.kind == ResultShape::Kind::Tensor)
        return outputs.value(result.output);
    QStringList parts;
    for (std::size_t i = 0; i < result.items.size(); ++i)
        parts << (result.kind == ResultShape::Kind::Dict
                      ? QStringLiteral("\"%1\": ").arg(result.keys.value(static_cast<qsizetype>(i)))
                      : QString()) +
                     resultText(result.items[i], outputs);
    const QString all = parts.join(QLatin1String(", "));
    return result.kind == ResultShape::Kind::Dict   ? QStringLiteral("{%1}").arg(all)
           : result.kind == ResultShape::Kind::List ? QStringLiteral("[%1]").arg(all)
           : parts.size() == 1                      ? QStringLiteral("(%1,)").arg(all)
                                                    : QStringLiteral("(%1)").arg(all);
}

} // namespace

QString whyNotCallable(const ReferenceGraph &graph, const KernelPlan &plan) {
    if (!plan.cannot.isEmpty())
        return plan.cannot;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        if (plan.kernels[i].leaves.empty())
            return QStringLiteral("a result depends on no input");
        for (const KernelLeaf &leaf : plan.kernels[i].leaves) {
            const GraphNode &node = nodeOfBuffer(graph, plan, leaf.buffer);
            if (node.kind == GraphNode::Kind::Buffer && !node.isStored)
                return QStringLiteral("\"%1\" is a buffer that is not stored with the weights, so the "
                                      "candidate would not get it")
                    .arg(node.path);
        }
    }
    return {};
}

QString modelText(const ReferenceGraph &graph, const KernelPlan &plan, const std::vector<KernelNames> &names,
                  const std::vector<KernelTuning> &tunings) {
    QString text = QStringLiteral("\"\"\"The same model in %1.\"\"\"\n\nimport cuda_extension\nimport torch\n"
                                  "from torch import nn\n\n\nclass ModelNew(nn.Module):\n")
                       .arg(kernelCount(plan) + (hasCalls(plan) ? QString() : QStringLiteral(" of our own")));
    const bool isOne = plan.kernels.size() == 1;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        text += QStringLiteral("    CONFIG%1 = %2  # Which variant of the kernel on a GPU: see %3.\n")
                    .arg(isOne ? QString() : QStringLiteral("_%1").arg(i + 1))
                    .arg(tunings[i].config)
                    .arg(names[i].launcher());
    text += QLatin1String("\n    def __init__(self, *arguments, **named):\n        super().__init__()\n");
    const QString state = constructor(graph);
    if (!state.isEmpty())
        text += QLatin1String("        # The reference's weights are loaded into these.\n") + state;
    QStringList arguments;
    for (int i = 0; i < graph.inputCount; ++i)
        arguments << graph.argumentNames.value(i, QStringLiteral("input%1").arg(i + 1));
    text += QStringLiteral("\n    def forward(self, %1):\n").arg(arguments.join(QLatin1String(", ")));
    std::map<int, QString> variables;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        QStringList taken;
        for (const int buffer : names[i].readBuffers) {
            const GraphNode &node = nodeOfBuffer(graph, plan, buffer);
            const bool isLeaf = plan.buffers[static_cast<std::size_t>(buffer)].kind == PlanBuffer::Kind::Leaf;
            taken << (!isLeaf                               ? variables[buffer]
                      : node.kind == GraphNode::Kind::Input ? arguments.value(node.position)
                                                            : access(node));
        }
        taken << QStringLiteral("self.CONFIG%1").arg(isOne ? QString() : QStringLiteral("_%1").arg(i + 1));
        QStringList given;
        for (const int buffer : names[i].writtenBuffers) {
            const auto output = std::find(plan.outputs.begin(), plan.outputs.end(), buffer);
            variables[buffer] = output == plan.outputs.end()
                                    ? QStringLiteral("partial%1").arg(buffer)
                                    : QStringLiteral("result%1").arg(output - plan.outputs.begin() + 1);
            given << variables[buffer];
        }
        text += QStringLiteral("        %1 = cuda_extension.%2(%3)\n")
                    .arg(given.join(QLatin1String(", ")), names[i].stem, taken.join(QLatin1String(", ")));
    }
    QStringList outputs;
    for (const int buffer : plan.outputs)
        outputs << variables[buffer];
    return text + QStringLiteral("        return %1\n").arg(resultText(graph.result, outputs));
}

CandidateTexts candidateFiles(const ReferenceGraph &graph, const KernelPlan &plan,
                              const std::vector<KernelTuning> &tunings) {
    CandidateTexts files;
    const std::vector<KernelNames> names = kernelNames(graph, plan);
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const QString stem = QStringLiteral("kernels/") + names[i].stem;
        files[stem + QStringLiteral(".cpp")] =
            cpuText(graph, plan, plan.kernels[i], names[i], tunings[i]).toUtf8();
        files[stem + QStringLiteral(".cu")] =
            cudaText(graph, plan, plan.kernels[i], names[i], tunings[i]).toUtf8();
        files[stem + QStringLiteral("_binding.cpp")] =
            bindingText(graph, plan, plan.kernels[i], names[i]).toUtf8();
    }
    files[QStringLiteral("model_new.py")] = modelText(graph, plan, names, tunings).toUtf8();
    return files;
}

CandidateTexts withCandidate(const CandidateTexts &texts, const CandidateTexts &files) {
    CandidateTexts all;
    for (const auto &[path, bytes] : texts)
        if (!isCandidatePath(path))
            all[path] = bytes;
    for (const auto &[path, bytes] : files)
        all[path] = bytes;
    return all;
}

} // namespace warpwright
