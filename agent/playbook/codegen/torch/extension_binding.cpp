// SPDX-License-Identifier: GPL-3.0-or-later
// The binding: from Python to the launchers.
#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/cuda/time_loop.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/codegen/torch/cuda_graph_capture.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"
#include "agent/playbook/recurrence/stream_partition.h"

#include "agent/playbook/codegen/torch/templates/binding.h"

#include <algorithm>
#include <cstdlib>

namespace warpwright {
namespace {

class ExtensionBinding {
public:
    ExtensionBinding(const ReferenceGraph &graph, const Program &program,
                     const std::vector<KernelNames> &names, const ForwardNames &forward,
                     RegistryKind registry)
        : m_graph(graph),
          m_program(program),
          m_names(names),
          m_forward(forward),
          m_registry(registry),
          m_isCaptured(usesCudaGraph(program)),
          m_segments(streamBranchesOf(program)),
          m_branches(m_isCaptured ? streamBranchCount(m_segments) : 1) {}

    QString run() const {
        const bool isOne = m_names.size() == 1;
        QString text = fillTemplate(bindingOpening,
                                    {{"s", isOne ? QString() : QStringLiteral("s")},
                                     {"one", isOne ? QStringLiteral("s") : QString()},
                                     {"order", isOne ? QString() : QStringLiteral(" them in order")},
                                     {"include", m_registry == RegistryKind::Template
                                                     ? QStringLiteral("#include \"../binding_registry.h\"")
                                                     : QStringLiteral("#include \"tensors.h\"")},
                                     {"headers", m_isCaptured ? cudaGraphHeaders() : QString()},
                                     {"declarations", declarations()},
                                     {"library", hasLibrary() ? bindingLibraryCheck : QString()}});
        if (m_isCaptured)
            text += memory() + cudaGraphText(m_branches, static_cast<int>(m_segments.size())) +
                    branchMacros() + launchAll() + head() + checks() + throughMemory();
        else
            text += head() + checks() + allocations() + launches() + returned(QStringLiteral("    "));
        return text + QStringLiteral("}\n\n} // namespace\n\nREGISTER_FUNCTION(%1, %2, \"%3\");\n")
                          .arg(m_forward.stem, m_forward.function, words());
    }

private:
    [[nodiscard]] const GraphNode &nodeOf(int buffer) const {
        return nodeOfBuffer(m_graph, m_program, buffer);
    }
    [[nodiscard]] QString nameOf(int buffer) const { return m_forward.names.at(buffer); }
    [[nodiscard]] bool isLibrary(std::size_t kernel) const { return !m_program.kernels[kernel].isLoops(); }
    [[nodiscard]] bool hasLibrary() const {
        for (std::size_t i = 0; i < m_names.size(); ++i)
            if (isLibrary(i))
                return true;
        return false;
    }
    [[nodiscard]] QString config(std::size_t kernel) const {
        return m_names.size() == 1 ? QStringLiteral("config") : QStringLiteral("config%1").arg(kernel + 1);
    }

    QString declarations() const {
        QString text;
        for (std::size_t i = 0; i < m_names.size(); ++i)
            text += wrappedCall(QStringLiteral("extern \"C\" %1 %2(")
                                    .arg(isLibrary(i) ? QStringLiteral("int") : QStringLiteral("void"),
                                         m_names[i].launcher()),
                                launcherParameters(m_graph, m_program, m_names[i]) +
                                    QStringLiteral(", int config STREAM_PARAMETER"),
                                QStringLiteral(");"));
        return text;
    }

    // `memory`: the struct whose members the results are.
    QString returned(const QString &indent, const QString &memory = {}) const {
        QStringList names;
        for (const int buffer : m_forward.results)
            names << (isMade(buffer) ? memory : QString()) + nameOf(buffer);
        const QString result = names.join(QLatin1String(", "));
        return names.size() == 1
                   ? indent + QStringLiteral("return %1;\n").arg(result)
                   : wrappedCall(indent + QStringLiteral("return {"), result, QStringLiteral("};"));
    }
    [[nodiscard]] bool isMade(int buffer) const {
        return std::find(m_forward.madeBuffers.begin(), m_forward.madeBuffers.end(), buffer) !=
               m_forward.madeBuffers.end();
    }
    [[nodiscard]] bool isInput(int buffer) const { return nodeOf(buffer).kind == GraphNode::Kind::Input; }

    // Inputs of each call, and buffers that the launches write.
    QString namesInMemory() const {
        QStringList members;
        for (const int buffer : m_forward.readBuffers)
            if (isInput(buffer))
                members << nameOf(buffer);
        for (const int buffer : m_forward.madeBuffers)
            members << nameOf(buffer);
        return members.join(QLatin1String(", "));
    }

    QString memory() const {
        return QStringLiteral(
                   "// Inputs of each call, and buffers that the launches write.\nstruct Memory {\n") +
               wrappedCall(QStringLiteral("    Tensor "), namesInMemory(), QStringLiteral(";")) +
               QStringLiteral("};\n\n");
    }

    // A CPU has no branches.
    QString branchMacros() const {
        return m_branches < 2
                   ? QString()
                   : QStringLiteral("#ifdef WARPWRIGHT_CPU\n"
                                    "#define BRANCHES_PARAMETER\n"
                                    "#define BRANCHES_ARGUMENT\n"
                                    "#define BEGIN(branch, ...)\n"
                                    "#define END(branch, segment)\n"
                                    "#else\n"
                                    "#define BRANCHES_PARAMETER , const Branches &branches\n"
                                    "#define BRANCHES_ARGUMENT , %1\n"
                                    "#define BEGIN(branch, ...) cudaStream_t stream = branches.begin(branch, "
                                    "{__VA_ARGS__})\n"
                                    "#define END(branch, segment) branches.end(branch, segment)\n"
                                    "#endif\n\n")
                         .arg(onOneStream(m_branches));
    }

    // All launches, on the given stream or on those of the branches.
    QString launchAll() const {
        QStringList takes = {QStringLiteral("const Memory &memory")};
        for (const int buffer : m_forward.readBuffers)
            if (!isInput(buffer))
                takes << QStringLiteral("const Tensor &%1").arg(nameOf(buffer));
        for (std::size_t i = 0; i < m_names.size(); ++i)
            takes << QStringLiteral("int %1").arg(config(i));
        return wrappedCall(QStringLiteral("void launchAll("), takes.join(QLatin1String(", ")),
                           m_branches > 1 ? QStringLiteral(" BRANCHES_PARAMETER) {")
                                          : QStringLiteral(" STREAM_PARAMETER) {")) +
               wrappedCall(QStringLiteral("    const auto &["), namesInMemory(),
                           QStringLiteral("] = memory;")) +
               (m_branches > 1 ? branchLines() : launchLines(0, m_names.size(), QStringLiteral("    "))) +
               QStringLiteral("}\n\n");
    }

    // `isCaptured`: for all calls, with copies of the inputs.
    QStringList membersOfMemory(bool isCaptured) const {
        const QString like = nameOf(m_forward.readBuffers.front());
        QStringList members;
        for (const int buffer : m_forward.readBuffers)
            if (isInput(buffer))
                members << (isCaptured ? QStringLiteral("newEmpty(%1, {%2}, ScalarType::%3)")
                                             .arg(like)
                                             .arg(spanOf(nodeOf(buffer)))
                                             .arg(scalarTypeName(nodeOf(buffer).type))
                                       : nameOf(buffer));
        for (const int buffer : m_forward.madeBuffers)
            members << newMemory(buffer);
        return members;
    }

    QString throughMemory() const {
        const QString like = nameOf(m_forward.readBuffers.front());
        QStringList weights;
        QStringList key;
        QString inputs;
        QString results;
        for (const int buffer : m_forward.readBuffers) {
            const QString name = nameOf(buffer);
            if (isInput(buffer)) {
                inputs += QStringLiteral("        copy(%1, captured.memory.%1, %2, stream);\n")
                              .arg(name)
                              .arg(spanOf(nodeOf(buffer)) * bytesOf(nodeOf(buffer).type));
                continue;
            }
            weights << name;
            key << QStringLiteral("reinterpret_cast<std::uintptr_t>(%1.const_data_ptr())").arg(name);
        }
        QStringList configs;
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            configs << config(i);
            key << QStringLiteral("static_cast<std::uintptr_t>(%1)").arg(config(i));
        }
        for (const int buffer : m_forward.results)
            if (isMade(buffer)) {
                const Shape &sizes = m_program.buffers[static_cast<std::size_t>(buffer)].layout.memory;
                results += QStringLiteral("        const Tensor %1 = %2;\n"
                                          "        copy(captured.memory.%1, %1, %3, stream);\n")
                               .arg(nameOf(buffer), newMemory(buffer))
                               .arg(elementCount(sizes) * bytesOf(nodeOf(buffer).type));
            }
        const QString rest = (weights + configs).join(QLatin1String(", "));
        return QStringLiteral(
                   "#ifndef WARPWRIGHT_CPU\n    const DeviceGuard guard(%1);\n"
                   "    const cudaStream_t stream = currentStream(%1);\n"
                   "    if (!isCaptured(stream)) { // the caller's capture has a graph of its own\n"
                   "        static auto *const perDevice = new std::map<int, CapturedGraph>; // until the "
                   "end\n"
                   "        auto found = perDevice->find(%1.get_device());\n"
                   "        if (found == perDevice->end()) {\n")
                   .arg(like) +
               wrappedCall(QStringLiteral("            Memory memory{"),
                           membersOfMemory(true).join(QLatin1String(", ")), QStringLiteral("};")) +
               QStringLiteral(
                   "            found = perDevice->emplace(%1.get_device(), CapturedGraph{memory}).first;\n"
                   "            cudaEventCreateWithFlags(&found->second.done, cudaEventDisableTiming);\n"
                   "            cudaStreamCreateWithFlags(&found->second.captureStream, "
                   "cudaStreamNonBlocking);\n%2"
                   "        }\n        CapturedGraph &captured = found->second;\n"
                   "        cudaStreamWaitEvent(stream, captured.done, 0);\n")
                   .arg(like,
                        m_branches < 2
                            ? QString()
                            : QStringLiteral("            for (cudaStream_t &branchStream : "
                                             "found->second.branchStreams)\n"
                                             "                cudaStreamCreateWithFlags(&branchStream, "
                                             "cudaStreamNonBlocking);\n"
                                             "            for (cudaEvent_t &event : found->second.events)\n"
                                             "                cudaEventCreateWithFlags(&event, "
                                             "cudaEventDisableTiming);\n")) +
               inputs +
               wrappedCall(QStringLiteral("        std::vector<std::uintptr_t> key{"),
                           key.join(QLatin1String(", ")), QStringLiteral("};")) +
               QStringLiteral("        launchGraph(captured, std::move(key), stream, [&](%1target) {\n")
                   .arg(m_branches > 1 ? QStringLiteral("const Branches &")
                                       : QStringLiteral("cudaStream_t ")) +
               wrappedCall(QStringLiteral("            launchAll(captured.memory, "),
                           rest + QStringLiteral(", target"), QStringLiteral(");")) +
               QStringLiteral("        });\n") + results +
               QStringLiteral("        cudaEventRecord(captured.done, stream);\n"
                              "        checkLaunch(); // A refused launch is silent otherwise.\n") +
               returned(QStringLiteral("        ")) + QStringLiteral("    }\n#endif\n") +
               wrappedCall(QStringLiteral("    const Memory memory{"),
                           membersOfMemory(false).join(QLatin1String(", ")), QStringLiteral("};")) +
               wrappedCall(QStringLiteral("    launchAll(memory, "),
                           rest + (m_branches > 1 ? QStringLiteral(" BRANCHES_ARGUMENT")
                                                  : QStringLiteral(" STREAM_ARGUMENT")),
                           QStringLiteral(");")) +
               QStringLiteral("#ifndef WARPWRIGHT_CPU\n    checkLaunch();\n#endif\n") +
               returned(QStringLiteral("    "), QStringLiteral("memory."));
    }

    /// Elements from a tensor's first to its last one.
    static std::int64_t spanOf(const GraphNode &node) {
        std::int64_t span = 1;
        for (std::size_t d = 0; d < node.shape.size(); ++d)
            span += (node.shape[d] - 1) * node.strides[d];
        return span;
    }

    QString newMemory(int buffer) const {
        return QStringLiteral("newEmpty(%1, {%2}, ScalarType::%3)")
            .arg(nameOf(m_forward.readBuffers.front()),
                 commaSeparated(m_program.buffers[static_cast<std::size_t>(buffer)].layout.memory),
                 scalarTypeName(nodeOf(buffer).type));
    }

    QString head() const {
        QStringList takes;
        for (const int buffer : m_forward.readBuffers)
            takes << QStringLiteral("const Tensor &%1").arg(nameOf(buffer));
        for (std::size_t i = 0; i < m_names.size(); ++i)
            takes << QStringLiteral("int %1").arg(config(i));
        QString result = QStringLiteral("Tensor");
        if (const auto count = static_cast<qsizetype>(m_forward.results.size()); count > 1)
            result =
                QStringLiteral("std::tuple<%1>").arg(QStringList(count, result).join(QLatin1String(", ")));
        return wrappedCall(QStringLiteral("%1 %2(").arg(result, m_forward.function),
                           takes.join(QLatin1String(", ")), QStringLiteral(") {"));
    }

    QString checks() const {
        QString text;
        for (const int buffer : m_forward.readBuffers) {
            const GraphNode &node = nodeOf(buffer);
            text +=
                QStringLiteral(
                    "    STD_TORCH_CHECK(hasLayout(%1, ScalarType::%2, {%3}, {%4}),\n"
                    "                    \"%5: %1 is not the %6 tensor of [%3] that it was written for\");\n")
                    .arg(nameOf(buffer), scalarTypeName(node.type), commaSeparated(node.shape),
                         commaSeparated(node.strides), m_forward.stem, elementTypeName(node.type));
        }
        return text;
    }

    QString allocations() const {
        QString text;
        for (const int buffer : m_forward.madeBuffers)
            text += QStringLiteral("    Tensor %1 = %2;\n").arg(nameOf(buffer), newMemory(buffer));
        return text;
    }

    QString launches() const {
        const QString like = nameOf(m_forward.readBuffers.front());
        return QStringLiteral("#ifndef WARPWRIGHT_CPU\n    const DeviceGuard guard(%1);\n"
                              "    const cudaStream_t stream = currentStream(%1);\n#endif\n")
                   .arg(like) +
               launchLines(0, m_names.size(), QStringLiteral("    ")) +
               QStringLiteral("#ifndef WARPWRIGHT_CPU\n"
                              "    checkLaunch(); // A refused launch is silent otherwise.\n#endif\n");
    }

    // Segment by segment, each on its branch.
    QString branchLines() const {
        QString text;
        for (std::size_t i = 0; i < m_segments.size(); ++i) {
            const ProgramSegment &segment = m_segments[i];
            QStringList begin = {QString::number(segment.branch)};
            for (const int some : segment.after)
                begin << QString::number(some);
            text += QStringLiteral("    { // %1\n        BEGIN(%2);\n")
                        .arg(i)
                        .arg(begin.join(QLatin1String(", "))) +
                    launchLines(segment.first, segment.first + segment.count, QStringLiteral("        "));
            if (segment.isAwaited)
                text += QStringLiteral("        END(%1, %2);\n").arg(segment.branch).arg(i);
            text += QStringLiteral("    }\n");
        }
        return text;
    }

    QString launchLines(std::size_t first, std::size_t end, const QString &indent) const {
        QString text;
        for (std::size_t i = first; i < end; ++i) {
            const std::int64_t timeSteps = m_program.timeStepsOf(i);
            if (persistentTimeSteps(m_program, i) > 1) {
                text += launch(i, indent, true);
                continue;
            }
            if (const TimeLoop *timeLoop = timeLoopAt(i))
                text += indent +
                        QStringLiteral("for (std::int64_t timeStep = 0; timeStep < %1; ++timeStep) {%2\n")
                            .arg(timeSteps)
                            .arg(timeLoop->count > 0
                                     ? QStringLiteral(" // each continues from the state of the one before")
                                     : QString());
            text += launch(i, timeSteps > 1 ? indent + QStringLiteral("    ") : indent);
            if (timeSteps > 1 &&
                (i + 1 == m_names.size() || m_program.timeStepsOf(i + 1) == 1 || timeLoopAt(i + 1)))
                text += indent + QStringLiteral("}\n");
        }
        return text;
    }

    // The loop over time that begins with this kernel.
    [[nodiscard]] const TimeLoop *timeLoopAt(std::size_t kernel) const {
        for (const TimeLoop &timeLoop : m_program.timeLoops)
            if (timeLoop.first == kernel && timeLoop.count > 0)
                return &timeLoop;
        return nullptr;
    }

    // `isOfAllTimeSteps`: slices begin at the base from which the kernel counts.
    QString launch(std::size_t kernel, const QString &indent, bool isOfAllTimeSteps = false) const {
        QStringList pointers;
        for (const int buffer : m_names[kernel].readBuffers)
            pointers << pointer(buffer, "const_data_ptr", isOfAllTimeSteps);
        for (const int buffer : m_names[kernel].writtenBuffers)
            pointers << pointer(buffer, "mutable_data_ptr", isOfAllTimeSteps);
        pointers << config(kernel) + QStringLiteral(" STREAM_ARGUMENT");
        const QString call = m_names[kernel].launcher() + QLatin1Char('(');
        return isLibrary(kernel)
                   ? wrappedCall(indent + QStringLiteral("check(") + call, pointers.join(QLatin1String(", ")),
                                 QStringLiteral("), \"%1\");").arg(m_names[kernel].stem))
                   : wrappedCall(indent + call, pointers.join(QLatin1String(", ")), QStringLiteral(");"));
    }

    QString pointer(int buffer, const char *how, bool isOfAllTimeSteps) const {
        const ElementType type = nodeOf(buffer).type;
        const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
        const QString start =
            QStringLiteral("%1.%2%3()")
                .arg(nameOf(m_program.memoryOf(buffer)), QLatin1String(how),
                     isHalf ? QString() : QStringLiteral("<%1>").arg(cTypeName(type, false)));
        const ProgramBuffer &what = m_program.buffers[static_cast<std::size_t>(buffer)];
        const QString position = !isOfAllTimeSteps         ? offsetOf(what)
                                 : what.window.offset == 0 ? QString()
                                                           : QString::number(what.window.offset);
        if (position.isEmpty())
            return start;
        const bool isConstant = QLatin1String(how) == QLatin1String("const_data_ptr");
        return isHalf
                   ? QStringLiteral("static_cast<%1 *>(%2) + %3 * (%4)")
                         .arg(isConstant ? QStringLiteral("const char") : QStringLiteral("char"), start)
                         .arg(bytesOf(type))
                         .arg(position)
                   : start + (position.startsWith(QLatin1Char('-')) ? QStringLiteral(" - ") + position.mid(1)
                                                                    : QStringLiteral(" + ") + position);
    }

    // Offset of a slice, in elements; empty: it begins at its memory's base, or is no slice.
    static QString offsetOf(const ProgramBuffer &buffer) {
        const TimeStepWindow &window = buffer.window;
        if (buffer.kind != ProgramBuffer::Kind::Window)
            return {};
        const QString position = timeWindowOffset(window);
        if (window.offset == 0)
            return position;
        if (position.isEmpty())
            return QString::number(window.offset);
        return position +
               QStringLiteral(" %1 %2").arg(window.offset < 0 ? '-' : '+').arg(std::abs(window.offset));
    }

    QString words() const {
        if (m_names.size() > 1)
            return QStringLiteral("the whole forward in %1").arg(kernelCount(m_program));
        const Kernel &kernel = m_program.kernels[0];
        return familyOf(kernel) == KernelFamily::Pointwise
                   ? QStringLiteral("a pointwise chain in one pass")
                   : QLatin1String(cudaTemplateOf(kernel, Knobs()).summary);
    }

    const ReferenceGraph &m_graph;
    const Program &m_program;
    const std::vector<KernelNames> &m_names;
    const ForwardNames &m_forward;
    RegistryKind m_registry;
    bool m_isCaptured; ///< all launches, as one graph
    std::vector<ProgramSegment> m_segments;
    int m_branches; ///< of concurrent launches
};

} // namespace

QString bindingText(const ReferenceGraph &graph, const Program &program,
                    const std::vector<KernelNames> &names, const ForwardNames &forward,
                    RegistryKind registry) {
    return ExtensionBinding(graph, program, names, forward, registry).run();
}

} // namespace warpwright
