// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/time_loop.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"
#include "agent/playbook/schedule/transpose_tile.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

const ProgramBuffer &bufferOf(const Program &program, int buffer) {
    return program.buffers[static_cast<std::size_t>(buffer)];
}

QString timeLoopText(std::int64_t timeSteps, const QString &arguments) {
    return QStringLiteral(
               "    for (std::int64_t timeStep = 0; timeStep < %1; ++timeStep) // one time step each\n")
               .arg(timeSteps) +
           wrappedCall(QStringLiteral("        oneTimeStep("), arguments, QStringLiteral(");")) +
           QStringLiteral("}\n");
}

// The buffers at their offsets in one time step. `pointer`: a buffer's name as a typed pointer.
template <typename Pointer>
QString positionsOf(const Program &program, const KernelNames &names, const Pointer &pointer) {
    QStringList positions;
    for (const std::vector<int> *buffers : {&names.readBuffers, &names.writtenBuffers})
        for (const int buffer : *buffers) {
            const ProgramBuffer &what = bufferOf(program, buffer);
            const QString position =
                what.kind == ProgramBuffer::Kind::Window ? timeWindowOffset(what.window) : QString();
            positions << (position.isEmpty() ? names.nameOf(buffer)
                                             : QStringLiteral("%1 + %2").arg(pointer(buffer), position));
        }
    return positions.join(QLatin1String(", "));
}

} // namespace

QString timeWindowOffset(const TimeStepWindow &window) {
    const QString timeStep =
        window.first > 0 ? QStringLiteral("(timeStep + %1)").arg(window.first) : QStringLiteral("timeStep");
    if (window.ring > 0)
        return QStringLiteral("%1 % %2 * %3").arg(timeStep).arg(window.ring).arg(window.step);
    return window.step == 0 ? QString() : QStringLiteral("%1 * %2").arg(timeStep).arg(window.step);
}

QString cudaTextWithTimeLoop(const QString &text, const ReferenceGraph &graph, const Program &program,
                             std::size_t kernel, const KernelNames &names) {
    const QString head = QStringLiteral("__global__ void __launch_bounds__(kThreads)\n") +
                         cudaSignature(graph, program, names);
    const qsizetype begin = text.indexOf(head);
    const qsizetype end = text.indexOf(QLatin1String("\n}\n"), begin) + 3;
    Q_ASSERT(begin >= 0 && end > begin);
    // A time step reads what the one before wrote: these pointers alias.
    QString signature = cudaSignature(graph, program, names);
    for (const int written : names.writtenBuffers)
        for (const std::vector<int> *buffers : {&names.readBuffers, &names.writtenBuffers})
            for (const int buffer : *buffers)
                if (program.memoryOf(buffer) == program.memoryOf(written))
                    signature.replace(
                        QRegularExpression(QStringLiteral("\\*__restrict__ %1\\b").arg(names.nameOf(buffer))),
                        QLatin1Char('*') + names.nameOf(buffer));
    const QString parameters = signature.section(QLatin1Char('('), 1).chopped(4).simplified();
    const QString once =
        wrappedCall(QStringLiteral("__device__ void oneTimeStep("), parameters, QStringLiteral(") {"));
    const QString loop =
        QStringLiteral(
            "\n// The same thread computes an element of the state in every time step, so no barrier is "
            "needed.\n") +
        QStringLiteral("__global__ void __launch_bounds__(kThreads)\n") +
        wrappedCall(QStringLiteral("    %1(").arg(names.function), parameters, QStringLiteral(") {")) +
        timeLoopText(persistentTimeSteps(program, kernel),
                     positionsOf(program, names, [&names](int buffer) { return names.nameOf(buffer); }));
    return text.left(begin) + once + text.mid(begin + head.size(), end - begin - head.size()) + loop +
           text.mid(end);
}

QString cpuTextWithTimeLoop(const QString &text, const ReferenceGraph &graph, const Program &program,
                            std::size_t kernel, const KernelNames &names) {
    const QString parameters = launcherParameters(graph, program, names);
    const QString head = wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                                     parameters + QStringLiteral(", int"), QStringLiteral(") {"));
    const qsizetype begin = text.indexOf(head);
    Q_ASSERT(begin >= 0);
    const QString once =
        wrappedCall(QStringLiteral("static void oneTimeStep("), parameters, QStringLiteral(") {"));
    const auto pointer = [&](int buffer) {
        const ElementType type = typeOfBuffer(graph, program, buffer);
        const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
        const bool isLoopOperator = std::find(names.writtenBuffers.begin(), names.writtenBuffers.end(),
                                              buffer) != names.writtenBuffers.end();
        return isHalf ? QStringLiteral("static_cast<%1std::uint16_t *>(%2)")
                            .arg(isLoopOperator ? QString() : QStringLiteral("const "), names.nameOf(buffer))
                      : names.nameOf(buffer);
    };
    return text.left(begin) + once + text.mid(begin + head.size()) + QLatin1Char('\n') + head +
           timeLoopText(persistentTimeSteps(program, kernel), positionsOf(program, names, pointer));
}

} // namespace warpwright
