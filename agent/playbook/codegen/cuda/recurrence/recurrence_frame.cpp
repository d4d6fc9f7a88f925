// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/recurrence/recurrence_frame.h"

#include "agent/playbook/codegen/cuda/cuda_head.h"
#include "agent/playbook/codegen/cuda/cuda_helpers.h"
#include "agent/playbook/codegen/cuda/cuda_launcher.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/scalar_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t most32 = (std::int64_t(1) << 31) - 1;

} // namespace

RecurrenceFrame::RecurrenceFrame(const ReferenceGraph &graph, const KernelPlan &plan, std::size_t kernel,
                                 const KernelNames &names)
    : m_graph(graph),
      m_plan(plan),
      m_place(kernel),
      m_kernel(plan.kernels[kernel]),
      m_names(names),
      m_sharing(*recurrenceSharingOf(plan, kernel)),
      m_turns(plan.turnsOf(kernel)) {
    findInputs();
}

QString RecurrenceFrame::before(const std::set<QString> &functions) const {
    QString text;
    for (const QString &formula : formulaOf(m_kernel, m_names).split(QLatin1Char('\n')))
        text += wrapped(formula, QStringLiteral("//   "), QStringLiteral("//       "));
    text += QLatin1String("//\n") + wrapped(why(), QStringLiteral("// "), QStringLiteral("// ")) +
            includes() + QStringLiteral("namespace {\n\n") + constants() +
            functionTexts(functions, TextDialect::Cuda);
    if (isWide())
        text += packText;
    if (m_kernel.hasReductions() && m_sharing.lanes > 1)
        text += meetText();
    return text + givenText() +
           QStringLiteral("template <int THREADS>\n__global__ void __launch_bounds__(THREADS)\n") +
           signature();
}

QString RecurrenceFrame::after() const {
    return QStringLiteral("}\n\n} // namespace\n\n") + launcher();
}

void RecurrenceFrame::findInputs() {
    QStringList taken;
    for (const KernelLeaf &leaf : m_kernel.leaves) {
        TurnInput input;
        input.isRow = m_kernel.levelOf(leaf.address) < StepLevel::Column;
        const TurnWindow &window = bufferOf(leaf.buffer).window;
        if (bufferOf(leaf.buffer).kind == PlanBuffer::Kind::Window && window.step != 0)
            input.kind = TurnInput::Kind::Given;
        for (std::size_t i = 0; i < m_kernel.stores.size(); ++i)
            if (m_plan.memoryOf(m_kernel.stores[i].buffer) == m_plan.memoryOf(leaf.buffer)) {
                input.kind = TurnInput::Kind::State;
                input.store = static_cast<int>(i);
            }
        const QString word =
            m_names.nameOf(leaf.buffer) + (input.kind == TurnInput::Kind::Given    ? QString()
                                           : input.kind == TurnInput::Kind::Always ? QStringLiteral("OfAll")
                                                                                   : QStringLiteral("Now"));
        input.name = word;
        for (int number = 2; taken.contains(input.name); ++number)
            input.name = word + QStringLiteral("At%1").arg(number);
        taken << input.name;
        m_inputs.push_back(input);
    }
}

bool RecurrenceFrame::hasGiven() const {
    return std::any_of(m_inputs.begin(), m_inputs.end(),
                       [](const TurnInput &input) { return input.kind == TurnInput::Kind::Given; });
}

QString RecurrenceFrame::why() const {
    return QStringLiteral("A loop over time in one launch: what a row's turn goes on from is its own, so the "
                          "same threads take it through all turns, with its states in registers, and wait "
                          "for nobody else.") +
           (hasGiven() ? QStringLiteral(" Each turn is short, and memory answers late: what some turns from "
                                        "now read is asked for while these are computed.")
                       : QString());
}

QString RecurrenceFrame::includes() const {
    QString text = QStringLiteral("#include <cuda_runtime.h>\n");
    const auto uses = [this](ElementType type) {
        return std::any_of(m_kernel.leaves.begin(), m_kernel.leaves.end(),
                           [type](const KernelLeaf &leaf) { return leaf.type == type; }) ||
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
    QString text = QStringLiteral("constexpr int kTurns = %1;\nconstexpr int kRows = %2;\n")
                       .arg(m_turns)
                       .arg(m_kernel.rows());
    if (isSplit())
        text += QStringLiteral("constexpr int kColumns = %1;\n").arg(m_kernel.columns());
    if (isWide())
        text += QStringLiteral("constexpr int kWidth = %1; // neighbours that a thread takes at once\n")
                    .arg(m_sharing.width);
    text += QStringLiteral("constexpr int kLanes = %1; // threads that share a row\n").arg(m_sharing.lanes);
    if (m_sharing.packs > 1)
        text += QStringLiteral("constexpr int kPacks = %1; // of a row, that each of them has\n")
                    .arg(m_sharing.packs);
    if (hasGiven())
        text += QStringLiteral("constexpr int kAhead = %1; // turns whose inputs are asked for at once\n")
                    .arg(m_sharing.ahead);
    return text + QLatin1Char('\n');
}

QString RecurrenceFrame::meetText() const {
    return QStringLiteral(
               "// Combines what the threads of a row have, and each gets the result: a butterfly.\n"
               "template <typename T, typename Combine> __device__ T meet(T value, Combine combine) {\n"
               "#pragma unroll\n"
               "    for (int distance = kLanes / 2; distance > 0; distance /= 2)\n"
               "        value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance%1));\n"
               "    return value;\n"
               "}\n\n")
        .arg(m_sharing.isAcross ? QStringLiteral(" * (32 / kLanes)") : QString());
}

QString RecurrenceFrame::declared(ElementType type, bool isRow, const QString &name) const {
    const QString each = isRow || m_sharing.packs == 1 ? QString() : QStringLiteral("[kPacks]");
    return QStringLiteral("%1 %2%3;")
        .arg(isRow || !isWide() ? cTypeName(type, true)
                                : QStringLiteral("Pack<%1>").arg(cTypeName(type, true)),
             name, each);
}

QString RecurrenceFrame::givenText() const {
    if (!hasGiven())
        return {};
    QString text = QStringLiteral("// What a turn reads beside its states.\nstruct Given {\n");
    for (std::size_t i = 0; i < m_inputs.size(); ++i)
        if (m_inputs[i].kind == TurnInput::Kind::Given)
            text += QStringLiteral("    %1\n")
                        .arg(declared(m_kernel.leaves[i].type, m_inputs[i].isRow, m_inputs[i].name));
    return text + QStringLiteral("};\n\n");
}

QString RecurrenceFrame::signature() const {
    QString text = cudaSignature(m_graph, m_plan, m_names);
    for (const int written : m_names.writtenBuffers)
        for (const std::vector<int> *buffers : {&m_names.readBuffers, &m_names.writtenBuffers})
            for (const int buffer : *buffers)
                if (m_plan.memoryOf(buffer) == m_plan.memoryOf(written))
                    text.replace(QRegularExpression(
                                     QStringLiteral("\\*__restrict__ %1\\b").arg(m_names.nameOf(buffer))),
                                 QLatin1Char('*') + m_names.nameOf(buffer));
    return text;
}

const TurnInput *RecurrenceFrame::stateOf(int store) const {
    for (const TurnInput &input : m_inputs)
        if (input.store == store)
            return &input;
    return nullptr;
}

QString RecurrenceFrame::nextName(const TurnInput &state) {
    return QString(state.name)
        .replace(state.name.lastIndexOf(QLatin1String("Now")), 3, QLatin1String("Then"));
}

bool RecurrenceFrame::isReadElsewhere(const KernelStore &store) const {
    const int memory = m_plan.memoryOf(store.buffer);
    if (bufferOf(memory).kind != PlanBuffer::Kind::Temporary)
        return true;
    for (std::size_t i = 0; i < m_plan.kernels.size(); ++i)
        for (const KernelLeaf &leaf : m_plan.kernels[i].leaves)
            if (i != m_place && m_plan.memoryOf(leaf.buffer) == memory)
                return true;
    return false;
}

bool RecurrenceFrame::isLeftEachTurn(const KernelStore &store) const {
    return bufferOf(store.buffer).window.ring == 0 && isReadElsewhere(store);
}

QString RecurrenceFrame::turnType() const {
    const auto isNarrow = [this](const auto &memory) {
        const TurnWindow &window = bufferOf(memory.buffer).window;
        const auto [low, high] = rangeOf(memory.address, m_kernel.loops);
        const std::int64_t turns = std::abs(window.step) * (m_turns + window.first);
        return low >= -most32 + turns && high <= most32 - turns;
    };
    const bool isAll = std::all_of(m_kernel.leaves.begin(), m_kernel.leaves.end(), isNarrow) &&
                       std::all_of(m_kernel.stores.begin(), m_kernel.stores.end(), isNarrow);
    return isAll ? QStringLiteral("int") : QStringLiteral("std::int64_t");
}

bool RecurrenceFrame::isRateOfState(int step) const {
    const KernelStep &power = m_kernel.step(step);
    if (power.op != KernelOp::Exponential || power.type != ElementType::Float32)
        return false;
    const auto isState = [this](int some) {
        const KernelStep &load = m_kernel.step(some);
        return load.op == KernelOp::Load && load.type == ElementType::Float32 &&
               m_inputs[static_cast<std::size_t>(load.leaf)].kind == TurnInput::Kind::State;
    };
    return std::none_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                        [step](const KernelStore &store) { return store.step == step; }) &&
           std::all_of(m_kernel.steps.begin(), m_kernel.steps.end(), [&](const KernelStep &user) {
               const std::vector<int> &of = user.operands;
               return std::find(of.begin(), of.end(), step) == of.end() ||
                      (user.op == KernelOp::Multiply && (isState(of[0]) || isState(of[1])));
           });
}

bool RecurrenceFrame::isFirstOfState(std::size_t input) const {
    return std::none_of(
        m_inputs.begin(), m_inputs.begin() + static_cast<std::ptrdiff_t>(input), [&](const TurnInput &other) {
            return other.kind == TurnInput::Kind::State && other.store == m_inputs[input].store;
        });
}

QString RecurrenceFrame::launcher() const {
    constexpr int choices[] = {64, 128, 256};
    QString text =
        QStringLiteral("// config = threads a block: 0 -> 64, 1 -> 128, 2 -> 256.\n") +
        wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(m_names.launcher()),
                    launcherParameters(m_graph, m_plan, m_kernel, m_names) +
                        QStringLiteral(", int config, cudaStream_t stream"),
                    QStringLiteral(") {")) +
        QStringLiteral("    constexpr int kAll = kRows * kLanes; // threads\n    switch (config) {\n");
    const QString call = cudaArguments(m_graph, m_plan, m_names).join(QLatin1String(", "));
    for (const int i : {1, 2, 0})
        text += (i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i)) +
                wrappedCall(QStringLiteral("        %1<%2><<<(kAll + %3) / %2, %2, 0, stream>>>(")
                                .arg(m_names.function)
                                .arg(choices[i])
                                .arg(choices[i] - 1),
                            call, QStringLiteral(");")) +
                QStringLiteral("        break;\n");
    return text + QStringLiteral("    }\n}\n");
}

} // namespace warpwright
