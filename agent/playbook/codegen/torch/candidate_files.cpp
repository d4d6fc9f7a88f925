// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_files.h"

#include "agent/playbook/analysis/output_layout.h"
#include "agent/playbook/codegen/cpu/cpu_templates.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/cuda/programmatic_launch.h"
#include "agent/playbook/codegen/cuda/recurrence/recurrence.h"
#include "agent/playbook/codegen/cuda/time_loop.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/ir/input_facts.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"
#include "agent/playbook/schedule/block_order.h"
#include "toolchain/text/scanned_text.h"

#include <QSet>

#include <algorithm>

namespace warpwright {
namespace {

QString complexTypeName(ElementType part) {
    return part == ElementType::Float64   ? QStringLiteral("complex128")
           : part == ElementType::Float16 ? QStringLiteral("complex32")
                                          : QStringLiteral("complex64");
}

QString shapeText(const Shape &shape) {
    return shape.size() == 1 ? commaSeparated(shape)
                             : QLatin1Char('(') + commaSeparated(shape) + QLatin1Char(')');
}

// "norm.weight" in forward: attribute access where the names allow, else torch's own accessor.
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

// With the strides of the reference's: the kernels were written for these.
QString tensorText(const GraphNode &node) {
    Shape shape = node.shape;
    Shape strides = node.strides;
    QString type = node.type == ElementType::Float32
                       ? QString()
                       : QStringLiteral(", dtype=torch.%1").arg(elementTypeName(node.type));
    if (isComplex(node)) { // without the dimension of the real and imaginary parts
        shape.pop_back();
        strides.pop_back();
        for (std::int64_t &stride : strides)
            stride /= 2;
        type = QStringLiteral(", dtype=torch.%1").arg(complexTypeName(node.type));
    }
    return strides == contiguousStrides(shape)
               ? QStringLiteral("torch.empty(%1%2)").arg(shapeText(shape), type)
               : QStringLiteral("torch.empty_strided([%1], [%2]%3)")
                     .arg(commaSeparated(shape), commaSeparated(strides), type);
}

QString constructor(const ReferenceGraph &graph) {
    QString text;
    QSet<QString> modules;
    for (const GraphNode &node : graph.nodes) {
        if (node.kind != GraphNode::Kind::Parameter && node.kind != GraphNode::Kind::Buffer)
            continue;
        const QStringList made = initializerLines(node);
        if (!node.isStored && made.isEmpty())
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
        for (const QString &line : made) // breaks only at commas
            text += wrappedCall(QStringLiteral("        "), line, QString());
        if (!node.isStored)
            text += QStringLiteral("        %1.register_buffer(\"%2\", made, persistent=False)\n")
                        .arg(owner, parts.back());
        else if (node.kind == GraphNode::Kind::Parameter)
            text += QStringLiteral("        %1.register_parameter(\"%2\", nn.Parameter(%3%4))\n")
                        .arg(owner, parts.back(), tensorText(node),
                             isFloating(node.type) ? QString() : QStringLiteral(", requires_grad=False"));
        else
            text += QStringLiteral("        %1.register_buffer(\"%2\", %3)\n")
                        .arg(owner, parts.back(), tensorText(node));
    }
    return text;
}

// Whether one dimension's stride falls within the reach of smaller ones: elements share memory.
bool repeatsElements(const GraphNode &node) {
    std::vector<std::pair<std::int64_t, std::int64_t>> loops; // stride, size
    for (std::size_t i = 0; i < node.shape.size(); ++i)
        if (node.shape[i] > 1)
            loops.emplace_back(node.strides[i], node.shape[i]);
    std::sort(loops.begin(), loops.end());
    std::int64_t reached = 0; // largest offset of the dimensions so far
    for (const auto &[step, size] : loops) {
        if (step <= reached)
            return true;
        reached += step * (size - 1);
    }
    return false;
}

bool hasCalls(const Program &program) {
    return std::any_of(program.kernels.begin(), program.kernels.end(),
                       [](const Kernel &kernel) { return !kernel.isLoops(); });
}

/// Parameters of a kernel that other kernels of the program write, in a loop over time: cell matmuls let the
/// next kernel begin before they have ended, and their buffers are reused. Otherwise all inputs are complete
/// when a kernel begins, except after cuBLASLt's kernels of compute capability 9.0, which trigger the next
/// launch as well (PREEXIT in their code): its loads of their results come after its wait, across which nvcc
/// moves no load, and no cache line of them was read before.
QStringList writtenMeanwhile(const Program &program, const KernelNames &names) {
    QStringList written;
    if (program.timeLoops.empty())
        return written;
    for (const std::vector<int> *buffers : {&names.readBuffers, &names.writtenBuffers})
        for (const int buffer : *buffers)
            if (program.buffers[static_cast<std::size_t>(program.memoryOf(buffer))].kind !=
                ProgramBuffer::Kind::Input)
                written << names.nameOf(buffer);
    return written;
}

// A launcher's result as a tensor of torch: another view of the same memory.
QString permutationText(const TensorLayout &layout) {
    QStringList positions;
    for (const std::size_t position : memoryOrder(layout))
        positions << QString::number(position);
    return positions.isEmpty() ? QString()
                               : QStringLiteral(".permute(%1)").arg(positions.join(QLatin1String(", ")));
}

QString resultText(const ResultShape &result, const QStringList &outputs) {
    if (result.kind == ResultShape::Kind::Tensor) {
        const QString output = outputs.value(result.output);
        return isComplex(result) ? QStringLiteral("torch.view_as_complex(%1)").arg(output) : output;
    }
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

QString whyNotCallable(const Program &program) {
    if (!program.unsupported.isEmpty())
        return program.unsupported;
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const int stored = program.kernels[i].stores[0].buffer;
        const bool isInitialized = // a scatter updates it in place
            std::any_of(program.kernels.begin(), program.kernels.end(), [stored](const Kernel &kernel) {
                return kernel.isScattered() && kernel.scatter()->isInitialized &&
                       kernel.stores[0].buffer == stored;
            });
        if (program.kernels[i].inputs.empty() && !isInitialized &&
            program.buffers[static_cast<std::size_t>(stored)].kind == ProgramBuffer::Kind::Output)
            return QStringLiteral("a result depends on no input");
        for (const KernelInput &input : program.kernels[i].inputs) {
            const GraphNode &node = nodeOfBuffer(program.graph, program, program.memoryOf(input.buffer));
            if (node.kind == GraphNode::Kind::Buffer && !node.isStored && initializerLines(node).isEmpty())
                return QStringLiteral("\"%1\" is a buffer that is not stored with the weights, so the "
                                      "candidate would not get it")
                    .arg(node.path);
            if (node.kind == GraphNode::Kind::Input || !repeatsElements(node))
                continue;
            if (node.path.isEmpty())
                return QStringLiteral(
                    "forward makes a tensor whose elements share memory (expand), and a kernel "
                    "here would read it whole: call contiguous() on it");
            return QStringLiteral("elements of \"%1\" share memory, and weights cannot be loaded into that")
                .arg(node.path);
        }
    }
    return {};
}

QString configAttribute(const Program &program, std::size_t kernel) {
    return program.kernels.size() == 1 ? QStringLiteral("CONFIG")
                                       : QStringLiteral("CONFIG_%1").arg(kernel + 1);
}

QString modelText(const ReferenceGraph &graph, const Program &program, const std::vector<KernelNames> &names,
                  const ForwardNames &forward, const std::vector<Knobs> &knobSets) {
    QString text =
        QStringLiteral("\"\"\"The same model in %1.\"\"\"\n\nimport cuda_extension\nimport torch\n"
                       "from torch import nn\n\n\nclass ModelNew(nn.Module):\n")
            .arg(kernelCount(program) + (hasCalls(program) ? QString() : QStringLiteral(" of our own")));
    QStringList choices;
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        text += QStringLiteral("    %1 = %2  # Which variant of the kernel on a GPU: see %3.\n")
                    .arg(configAttribute(program, i))
                    .arg(knobSets[i].config)
                    .arg(names[i].launcher());
        if (const std::size_t count = configSpace(program.kernels[i], knobSets[i]).size(); count > 1)
            choices << QStringLiteral("\"%1\": %2").arg(configAttribute(program, i)).arg(count);
    }
    if (!choices.isEmpty())
        text += QLatin1String("    # How many there are of each: what a sweep tries.\n") +
                wrappedCall(QStringLiteral("    CHOICES = {"), choices.join(QLatin1String(", ")),
                            QStringLiteral("}"));
    text += QLatin1String("\n    def __init__(self, *arguments, **named):\n        super().__init__()\n");
    const QString state = constructor(graph);
    if (!state.isEmpty())
        text += QLatin1String("        # The reference's weights are loaded into these.\n") + state;
    QStringList arguments;
    for (int i = 0; i < graph.inputCount; ++i)
        arguments << graph.argumentNames.value(i, QStringLiteral("input%1").arg(i + 1));
    text += QStringLiteral("\n    def forward(self, %1):\n").arg(arguments.join(QLatin1String(", ")));
    QStringList taken;
    for (const int buffer : forward.readBuffers) {
        const GraphNode &node = nodeOfBuffer(graph, program, buffer);
        const QString tensor =
            node.kind == GraphNode::Kind::Input ? arguments.value(node.position) : access(node);
        taken << (isComplex(node) ? QStringLiteral("torch.view_as_real(%1)").arg(tensor) : tensor);
    }
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        taken << QLatin1String("self.") + configAttribute(program, i);
    QStringList given;
    for (const int buffer : forward.results)
        given << forward.names.at(buffer);
    text += wrappedCall(
        QStringLiteral("        %1 = cuda_extension.%2(").arg(given.join(QLatin1String(", ")), forward.stem),
        taken.join(QLatin1String(", ")), QStringLiteral(")"));
    QStringList outputs;
    for (const int buffer : program.outputs)
        outputs << forward.names.at(buffer) +
                       permutationText(program.buffers[static_cast<std::size_t>(buffer)].layout);
    return text + QStringLiteral("        return %1\n").arg(resultText(graph.result, outputs));
}

RegistryKind registryKindOf(const QByteArray &text) {
    const QString code = scanText(text, Literals::Blanked).code; // names in comments do not count
    return text.isEmpty() || code.contains(QLatin1String("REGISTER_FUNCTION")) ? RegistryKind::Template
                                                                               : RegistryKind::Pybind;
}

CandidateTexts candidateFiles(const Program &program, const std::vector<Knobs> &knobSets,
                              RegistryKind registry) {
    const ReferenceGraph &graph = program.graph;
    CandidateTexts files;
    const std::vector<KernelNames> names = kernelNames(graph, program);
    const std::vector<bool> isBackwards = goBackwards(program);
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const QString stem = QStringLiteral("kernels/") + names[i].stem;
        const KernelSource source{graph, program, program.kernels[i], names[i], knobSets[i]};
        QString cpu = cpuTemplateOf(source.kernel).write(source);
        QString cuda = cudaTemplateOf(source.kernel, source.knobs).write(source);
        if (persistentTimeSteps(program, i) > 1) {
            cpu = cpuTextWithTimeLoop(cpu, graph, program, i, names[i]);
            cuda = recurrenceMappingOf(program, i) ? recurrenceCudaText(graph, program, i, names[i])
                                                   : cudaTextWithTimeLoop(cuda, graph, program, i, names[i]);
        }
        if (isBackwards[i])
            cuda = withBlocksFromEnd(cuda);
        if (i > 0) { // text before the first one is not ours
            const QString early = withProgrammaticLaunch(cuda, writtenMeanwhile(program, names[i]));
            if (early != cuda)
                files[QStringLiteral("kernels/early_launch.h")] = programmaticLaunchText().toUtf8();
            cuda = early;
        }
        files[stem + QStringLiteral(".cpp")] = cpu.toUtf8();
        files[stem + QStringLiteral(".cu")] = cuda.toUtf8();
    }
    const ForwardNames forward = forwardNames(graph, program, names);
    files[QStringLiteral("kernels/%1_binding.cpp").arg(forward.stem)] =
        bindingText(graph, program, names, forward, registry).toUtf8();
    if (registry == RegistryKind::Pybind)
        files[QStringLiteral("kernels/tensors.h")] = tensorsHeader().toUtf8();
    files[QStringLiteral("model_new.py")] = modelText(graph, program, names, forward, knobSets).toUtf8();
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
