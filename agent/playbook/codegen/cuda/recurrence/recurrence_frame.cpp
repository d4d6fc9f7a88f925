// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/recurrence/recurrence_frame.h"

#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t most32 = (std::int64_t(1) << 31) - 1;

} // namespace

RecurrenceFrame::RecurrenceFrame(const ReferenceGraph &graph, const Program &program, std::size_t kernel,
                                 const KernelNames &names)
    : m_graph(graph),
      m_program(program),
      m_kernelIndex(kernel),
      m_kernel(program.kernels[kernel]),
      m_names(names),
      m_mapping(*recurrenceMappingOf(program, kernel)),
      m_timeSteps(program.timeStepsOf(kernel)) {
    findInputs();
}

QString RecurrenceFrame::before(const std::set<QString> &functions) const {
    QString text;
    for (const QString &formula : formulaOf(m_kernel, m_names).split(QLatin1Char('\n')))
        text += wrapped(formula, QStringLiteral("//   "), QStringLiteral("//       "));
    text += QLatin1String("//\n") + wrapped(why(), QStringLiteral("// "), QStringLiteral("// ")) +
            includes() + QStringLiteral("namespace {\n\n") + constants() +
            helperFunctions(functions, CodeDialect::Cuda);
    if (isWide())
        text += vecText;
    if (m_kernel.hasReductions() && m_mapping.threadsPerRow > 1)
        text += allReduceText();
    return text + perTimeStepText() +
           QStringLiteral("template <int THREADS>\n__global__ void __launch_bounds__(THREADS)\n") +
           signature();
}

QString RecurrenceFrame::after() const {
    return QStringLiteral("}\n\n} // namespace\n\n") + launcher();
}

void RecurrenceFrame::findInputs() {
    QStringList taken;
    for (const KernelInput &input : m_kernel.inputs) {
        LoopInput loopInput;
        loopInput.isRow = m_kernel.levelOf(input.address) < StepLevel::Column;
        const TimeStepWindow &window = bufferOf(input.buffer).window;
        if (bufferOf(input.buffer).kind == ProgramBuffer::Kind::Window && window.step != 0)
            loopInput.kind = LoopInput::Kind::PerTimeStep;
        for (std::size_t i = 0; i < m_kernel.stores.size(); ++i)
            if (m_program.memoryOf(m_kernel.stores[i].buffer) == m_program.memoryOf(input.buffer)) {
                loopInput.kind = LoopInput::Kind::State;
                loopInput.store = static_cast<int>(i);
            }
        const QString word = m_names.nameOf(input.buffer) +
                             (loopInput.kind == LoopInput::Kind::PerTimeStep ? QString()
                              : loopInput.kind == LoopInput::Kind::Invariant ? QStringLiteral("Invariant")
                                                                             : QStringLiteral("Now"));
        loopInput.name = word;
        for (int number = 2; taken.contains(loopInput.name); ++number)
            loopInput.name = word + QStringLiteral("At%1").arg(number);
        taken << loopInput.name;
        m_loopInputs.push_back(loopInput);
    }
}

bool RecurrenceFrame::hasPerTimeStep() const {
    return std::any_of(m_loopInputs.begin(), m_loopInputs.end(), [](const LoopInput &loopInput) {
        return loopInput.kind == LoopInput::Kind::PerTimeStep;
    });
}

QString RecurrenceFrame::why() const {
    return QStringLiteral("A loop over time in one launch (persistent RNN): a row's time step depends only "
                          "on that row, so the same threads compute all of its time steps, with states in "
                          "registers, and without synchronization.") +
           (hasPerTimeStep()
                ? QStringLiteral(" A time step is short, and memory latency long: inputs of later time "
                                 "steps are prefetched meanwhile.")
                : QString());
}

QString RecurrenceFrame::includes() const {
    QString text = QStringLiteral("#include <cuda_runtime.h>\n");
    const auto uses = [this](ElementType type) {
        return std::any_of(m_kernel.inputs.begin(), m_kernel.inputs.end(),
                           [type](const KernelInput &input) { return input.type == type; }) ||
               std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                           [type](const KernelStore &store) { return store.type == type; });
    };
    if (uses(ElementType::BFloat16))
        text += QLatin1String("#include <cuda_bf16.h>\n");
    if (uses(ElementType::Float16))
        text += QLatin1String("#include <cuda_fp16.h>\n");
    return text + QLatin1String("\n#include <cmath>\n#include <cstdint>\n\n");
}

QString RecurrenceFrame::constants() const {
    QString text = QStringLiteral("constexpr int kTimeSteps = %1;\nconstexpr int kRows = %2;\n")
                       .arg(m_timeSteps)
                       .arg(m_kernel.rows());
    if (isSplit())
        text += QStringLiteral("constexpr int kColumns = %1;\n").arg(m_kernel.columns());
    if (isWide())
        text += QStringLiteral("constexpr int kWidth = %1; // adjacent elements in a vector\n")
                    .arg(m_mapping.width);
    text += QStringLiteral("constexpr int kThreadsPerRow = %1; // threads that share a row\n")
                .arg(m_mapping.threadsPerRow);
    if (m_mapping.vecs > 1)
        text += QStringLiteral("constexpr int kVectors = %1; // vectors of a row that each of them has\n")
                    .arg(m_mapping.vecs);
    if (hasPerTimeStep())
        text +=
            QStringLiteral("constexpr int kPrefetchDepth = %1; // time steps whose inputs are prefetched\n")
                .arg(m_mapping.prefetchDepth);
    return text + QLatin1Char('\n');
}

QString RecurrenceFrame::allReduceText() const {
    return QStringLiteral(
               "// All-reduce over the threads of a row by butterfly shuffles.\n"
               "template <typename T, typename Combine> __device__ T reduceRow(T value, Combine combine) {\n"
               "#pragma unroll\n"
               "    for (int distance = kThreadsPerRow / 2; distance > 0; distance /= 2)\n"
               "        value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance%1));\n"
               "    return value;\n"
               "}\n\n")
        .arg(m_mapping.areRowsAdjacent ? QStringLiteral(" * (32 / kThreadsPerRow)") : QString());
}

QString RecurrenceFrame::declared(ElementType type, bool isRow, const QString &name) const {
    const QString each = isRow || m_mapping.vecs == 1 ? QString() : QStringLiteral("[kVectors]");
    return QStringLiteral("%1 %2%3;")
        .arg(isRow || !isWide() ? cTypeName(type, true)
                                : QStringLiteral("Vec<%1>").arg(cTypeName(type, true)),
             name, each);
}

QString RecurrenceFrame::perTimeStepText() const {
    if (!hasPerTimeStep())
        return {};
    QString text = QStringLiteral("// The inputs of a time step, without states.\nstruct StepInputs {\n");
    for (std::size_t i = 0; i < m_loopInputs.size(); ++i)
        if (m_loopInputs[i].kind == LoopInput::Kind::PerTimeStep)
            text += QStringLiteral("    %1\n")
                        .arg(declared(m_kernel.inputs[i].type, m_loopInputs[i].isRow, m_loopInputs[i].name));
    return text + QStringLiteral("};\n\n");
}

QString RecurrenceFrame::signature() const {
    QString text = cudaSignature(m_graph, m_program, m_names);
    for (const int written : m_names.writtenBuffers)
        for (const std::vector<int> *buffers : {&m_names.readBuffers, &m_names.writtenBuffers})
            for (const int buffer : *buffers)
                if (m_program.memoryOf(buffer) == m_program.memoryOf(written))
                    text.replace(QRegularExpression(
                                     QStringLiteral("\\*__restrict__ %1\\b").arg(m_names.nameOf(buffer))),
                                 QLatin1Char('*') + m_names.nameOf(buffer));
    return text;
}

const LoopInput *RecurrenceFrame::stateOf(int store) const {
    for (const LoopInput &loopInput : m_loopInputs)
        if (loopInput.store == store)
            return &loopInput;
    return nullptr;
}

QString RecurrenceFrame::nextName(const LoopInput &state) {
    return QString(state.name)
        .replace(state.name.lastIndexOf(QLatin1String("Now")), 3, QLatin1String("Next"));
}

bool RecurrenceFrame::isReadElsewhere(const KernelStore &store) const {
    const int memory = m_program.memoryOf(store.buffer);
    if (bufferOf(memory).kind != ProgramBuffer::Kind::Temporary)
        return true;
    for (std::size_t i = 0; i < m_program.kernels.size(); ++i)
        for (const KernelInput &input : m_program.kernels[i].inputs)
            if (i != m_kernelIndex && m_program.memoryOf(input.buffer) == memory)
                return true;
    return false;
}

bool RecurrenceFrame::isStoredEachTimeStep(const KernelStore &store) const {
    return bufferOf(store.buffer).window.ring == 0 && isReadElsewhere(store);
}

QString RecurrenceFrame::timeStepType() const {
    const auto fits32Bit = [this](const auto &memory) {
        const TimeStepWindow &window = bufferOf(memory.buffer).window;
        const auto [low, high] = rangeOf(memory.address, m_kernel.loops);
        const std::int64_t timeSteps = std::abs(window.step) * (m_timeSteps + window.first);
        return low >= -most32 + timeSteps && high <= most32 - timeSteps;
    };
    const bool isAll = std::all_of(m_kernel.inputs.begin(), m_kernel.inputs.end(), fits32Bit) &&
                       std::all_of(m_kernel.stores.begin(), m_kernel.stores.end(), fits32Bit);
    return isAll ? QStringLiteral("int") : QStringLiteral("std::int64_t");
}

bool RecurrenceFrame::isRateOfState(int step) const {
    const KernelStep &power = m_kernel.step(step);
    if (power.op != Opcode::Exp || power.type != ElementType::Float32)
        return false;
    const auto isState = [this](int some) {
        const KernelStep &load = m_kernel.step(some);
        return load.op == Opcode::Load && load.type == ElementType::Float32 &&
               m_loopInputs[static_cast<std::size_t>(load.input)].kind == LoopInput::Kind::State;
    };
    return std::none_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                        [step](const KernelStore &store) { return store.step == step; }) &&
           std::all_of(m_kernel.steps.begin(), m_kernel.steps.end(), [&](const KernelStep &user) {
               const std::vector<int> &of = user.operands;
               return std::find(of.begin(), of.end(), step) == of.end() ||
                      (user.op == Opcode::Multiply && (isState(of[0]) || isState(of[1])));
           });
}

bool RecurrenceFrame::isFirstOfState(std::size_t loopInput) const {
    return std::none_of(m_loopInputs.begin(), m_loopInputs.begin() + static_cast<std::ptrdiff_t>(loopInput),
                        [&](const LoopInput &other) {
                            return other.kind == LoopInput::Kind::State &&
                                   other.store == m_loopInputs[loopInput].store;
                        });
}

QString RecurrenceFrame::launcher() const {
    constexpr int choices[] = {64, 128, 256};
    QString text =
        QStringLiteral("// config = threads a block: 0 -> 64, 1 -> 128, 2 -> 256.\n") +
        wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(m_names.launcher()),
                    launcherParameters(m_graph, m_program, m_names) +
                        QStringLiteral(", int config, cudaStream_t stream"),
                    QStringLiteral(") {")) +
        QStringLiteral(
            "    constexpr int kAllThreads = kRows * kThreadsPerRow; // threads\n    switch (config) {\n");
    const QString call = cudaArguments(m_graph, m_program, m_names).join(QLatin1String(", "));
    for (const int i : {1, 2, 0})
        text += (i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i)) +
                wrappedCall(QStringLiteral("        %1<%2><<<(kAllThreads + %3) / %2, %2, 0, stream>>>(")
                                .arg(m_names.function)
                                .arg(choices[i])
                                .arg(choices[i] - 1),
                            call, QStringLiteral(");")) +
                QStringLiteral("        break;\n");
    return text + QStringLiteral("    }\n}\n");
}

} // namespace warpwright
