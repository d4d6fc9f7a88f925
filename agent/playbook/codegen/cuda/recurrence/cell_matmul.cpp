// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/recurrence/cell_matmul.h"

#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/recurrence/templates/cell_matmul.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

const QString requestFirst = QStringLiteral("#pragma unroll\n"
                                            "    for (int i = 0; i < kStagesB; ++i)\n"
                                            "        loadB(i);\n");

class CellMatmul : private KernelWriter {
public:
    explicit CellMatmul(const KernelSource &source)
        : KernelWriter(source),
          m_type(source.kernel.inputs[0].type),
          m_isHalf(m_type != ElementType::Float32),
          m_tile(cellTile(source.kernel)),
          m_gates(static_cast<int>(firstEpilogueInput(source.kernel)) - 1) {}

    QString run() {
        const QString statements = this->statements();
        const std::vector<int> warps = cellMatmulWarps(m_kernel);
        QStringList words;
        QString cases;
        for (std::size_t i = warps.size(); i-- > 0;)
            cases += (i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i)) +
                     wrappedCall(QStringLiteral("        return launch<%1>(").arg(warps[i]),
                                 cudaArguments(m_graph, m_program, m_names).join(QLatin1String(", ")) +
                                     QStringLiteral(", stream"),
                                 QStringLiteral(");"));
        for (std::size_t i = 0; i < warps.size(); ++i)
            words << QStringLiteral("%1 -> %2").arg(i).arg(warps[i]);
        const int blockColumns =
            (m_tile.units * m_gates + 8 * m_tile.sides - 1) / (8 * m_tile.sides) * 8 * m_tile.sides;
        return fillTemplate(
            cellMatmulText,
            {{"head", head()},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : otherIncludes()},
             {"rows", QString::number(m_kernel.loops[0])},
             {"units", QString::number(m_kernel.loops[1])},
             {"gateWords",
              m_gates > 1 ? QStringLiteral(", of each of several matmuls with one first matrix") : QString()},
             {"gates", QString::number(m_gates)},
             {"inner", QString::number(m_kernel.loops[2])},
             {"blockRows", QString::number(m_tile.rows)},
             {"warpsN", QString::number(m_tile.sides)},
             {"blockUnits", QString::number(m_tile.units)},
             {"depth", QString::number(64 / bytesOf(m_type))},
             {"gap", QString::number(blockColumns % 16 == 8 ? 0 : 8)},
             {"functions", helperFunctions(m_functions, CodeDialect::Cuda)},
             {"multiply", m_isHalf ? fillTemplate(cellMatmulMma16, {{"word", m_type == ElementType::Float16
                                                                                 ? QStringLiteral("f16")
                                                                                 : QStringLiteral("bf16")}})
                                   : cellMatmulMmaTf32},
             {"signature", signature()},
             {"declareOperands", declareEpilogueOperands()},
             {"rowIndex", position(0, QStringLiteral("(row < kRows ? row : kRows - 1)"), {}, {})},
             {"columnIndex",
              position(1, {}, QStringLiteral("(unit < kUnits ? unit : kUnits - 1)"), QStringLiteral("gate"))},
             {"matrixA", m_names.nameOf(m_kernel.inputs[0].buffer)},
             {"loadColumn", requestColumn()},
             {"early", isThereBefore(m_kernel.inputs[1].buffer) ? requestFirst : QString()},
             {"late", isThereBefore(m_kernel.inputs[1].buffer) ? QString() : requestFirst},
             {"roundToTf32", m_isHalf ? QString() : QStringLiteral("roundToTf32")},
             {"declareSums", declareSums()},
             {"addSums", addSums()},
             {"statements", statements},
             {"function", m_names.function},
             {"start",
              wrappedCall(QStringLiteral("template <int WARPS> int launch("),
                          parameters() + QStringLiteral(", cudaStream_t stream"), QStringLiteral(") {"))},
             {"call",
              wrappedCall(QStringLiteral("    return int(cudaLaunchKernelEx("),
                          QStringLiteral("&launchConfig, %1<WARPS>, ").arg(m_names.function) + names(),
                          QStringLiteral("));"))},
             {"choiceWords", words.join(QLatin1String(", "))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_program, m_names) +
                                          QStringLiteral(", int config, cudaStream_t stream"),
                                      QStringLiteral(") {"))},
             {"cases", cases}});
    }

private:
    [[nodiscard]] QString head() const {
        return kernelHeadComment(
            m_kernel, m_names,
            QStringLiteral(
                "The matmul of an RNN cell for one time step, with a fused epilogue. Rows are few, so it is "
                "bound by latency: of loading the second matrix from L2, and of the launch. So each block "
                "takes a few columns%1 and all of K; its warps split K, load 16 bytes at a time straight "
                "into the operand registers of the tensor cores (mma), and reduce once, through shared "
                "memory. Then one thread has the sums of an element, and computes the epilogue.%2")
                .arg(m_gates > 1 ? QStringLiteral(" of each gate") : QString(),
                     m_isHalf ? QString() : QStringLiteral(" Floats are rounded to TF32.")));
    }

    [[nodiscard]] QString otherIncludes() const {
        QString text;
        const auto uses = [this](ElementType type) {
            return std::any_of(m_kernel.inputs.begin(), m_kernel.inputs.end(),
                               [type](const KernelInput &input) { return input.type == type; }) ||
                   std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                               [type](const KernelStore &store) { return store.type == type; });
        };
        if (uses(ElementType::Float16))
            text += QLatin1String("#include <cuda_fp16.h>\n");
        if (uses(ElementType::BFloat16))
            text += QLatin1String("#include <cuda_bf16.h>\n");
        return text;
    }

    // What other time steps write must not be read through the read-only cache (__restrict__): this kernel
    // starts before they have ended.
    [[nodiscard]] QString signature() const {
        QString text = cudaSignature(m_graph, m_program, m_names);
        for (const std::vector<int> *buffers : {&m_names.readBuffers, &m_names.writtenBuffers})
            for (const int buffer : *buffers)
                if (!isConstant(buffer))
                    text.replace(QRegularExpression(
                                     QStringLiteral("\\*__restrict__ %1\\b").arg(m_names.nameOf(buffer))),
                                 QLatin1Char('*') + m_names.nameOf(buffer));
        return text;
    }
    /// Whether a buffer is complete before the previous kernel ends. Not for the program's first kernel: what
    /// runs before it may write its input.
    [[nodiscard]] bool isThereBefore(int buffer) const {
        return isConstant(buffer) && &m_kernel != m_program.kernels.data();
    }
    [[nodiscard]] bool isConstant(int buffer) const {
        return m_program.buffers[static_cast<std::size_t>(m_program.memoryOf(buffer))].kind ==
               ProgramBuffer::Kind::Input;
    }

    [[nodiscard]] QString parameters() const {
        QStringList list;
        for (const int buffer : m_names.readBuffers)
            list << QStringLiteral("const %1 *%2")
                        .arg(cTypeName(typeOfBuffer(m_graph, m_program, buffer), true),
                             m_names.nameOf(buffer));
        for (const int buffer : m_names.writtenBuffers)
            list << QStringLiteral("%1 *%2").arg(cTypeName(typeOfBuffer(m_graph, m_program, buffer), true),
                                                 m_names.nameOf(buffer));
        return list.join(QLatin1String(", "));
    }
    [[nodiscard]] QString names() const {
        QStringList list;
        for (const std::vector<int> *buffers : {&m_names.readBuffers, &m_names.writtenBuffers})
            for (const int buffer : *buffers)
                list << m_names.nameOf(buffer);
        return list.join(QLatin1String(", "));
    }

    /// The offset of a row or a column of a matrix.
    [[nodiscard]] QString position(std::size_t input, const QString &row, const QString &column,
                                   const QString &gate) const {
        const AffineExpr &address = m_kernel.inputs[input].address;
        QString text = indexExpression(address, {row, column, QString()});
        if (m_gates > 1 && !gate.isEmpty())
            text += QStringLiteral(" + %1 * %2")
                        .arg(gate)
                        .arg(m_kernel.inputs[2].address.offset - address.offset);
        return text;
    }

    [[nodiscard]] bool isAcross() const { return m_kernel.inputs[1].address.steps[2] != 1; }
    [[nodiscard]] QString requestColumn() const {
        const QString name = m_names.nameOf(m_kernel.inputs[1].buffer);
        if (!isAcross())
            return QStringLiteral(
                       "                fragmentB[i % kStagesB][j] = *reinterpret_cast<const Vec *>(%1 + "
                       "columnOffset[j] + k);\n")
                .arg(name);
        return QStringLiteral("#pragma unroll\n"
                              "                for (int n = 0; n < 4; ++n) // rows of the second matrix\n"
                              "                    fragmentB[i % kStagesB][j].at[n] = "
                              "__float_as_uint(%1[columnOffset[j] + (k + "
                              "n) * %2]);\n")
            .arg(name)
            .arg(m_kernel.inputs[1].address.steps[2]);
    }

    [[nodiscard]] static QString readName(std::size_t input) { return QStringLiteral("read%1").arg(input); }
    [[nodiscard]] QString declareEpilogueOperands() const {
        QString declared;
        QString read;
        for (std::size_t i = firstEpilogueInput(m_kernel); i < m_kernel.inputs.size(); ++i) {
            const KernelInput &input = m_kernel.inputs[i];
            declared += QStringLiteral("    %1 %2[kResultsPerThread];\n")
                            .arg(cTypeName(input.type, true), readName(i));
            read += QStringLiteral("        %1[i] = %2[%3];\n")
                        .arg(readName(i), m_names.nameOf(input.buffer),
                             indexExpression(input.address,
                                             {QStringLiteral("row"), QStringLiteral("column"), {}}));
        }
        if (declared.isEmpty())
            return {};
        return QStringLiteral(
                   "    // Epilogue operands are loaded first, and have arrived when the sums are done.\n") +
               declared +
               QStringLiteral("#pragma unroll\n"
                              "    for (int i = 0; i < kResultsPerThread; ++i) {\n"
                              "        const int index = thread + i * kThreads;\n") +
               lineOf("row", "firstRow + index / kBlockUnits", "kRows", read) +
               lineOf("column", "firstUnit + index % kBlockUnits", "kUnits", read) + read +
               QStringLiteral("    }\n");
    }
    static QString lineOf(const char *name, const char *value, const char *count, const QString &text) {
        const QString word = QLatin1String(name);
        return text.contains(word) ? QStringLiteral("        const int %1 = %2 < %3 ? %2 : %3 - 1;\n")
                                         .arg(word, QLatin1String(value), QLatin1String(count))
                                   : QString();
    }

    static QString accumulatorName(int gate) {
        return gate == 0 ? QStringLiteral("sum") : QStringLiteral("sum%1").arg(gate + 1);
    }
    [[nodiscard]] QString declareSums() const {
        QStringList list;
        for (int gate = 0; gate < m_gates; ++gate)
            list << accumulatorName(gate) + QStringLiteral(" = 0.0f");
        return wrappedCall(QStringLiteral("        float "), list.join(QLatin1String(", ")),
                           QStringLiteral(";"));
    }
    [[nodiscard]] QString addSums() const {
        QString text;
        for (int gate = 0; gate < m_gates; ++gate)
            text += QStringLiteral("            %1 += partialSums[k * kBlockRows * kPitch%2];\n")
                        .arg(accumulatorName(gate), gate == 0 ? QString()
                                                    : gate == 1
                                                        ? QStringLiteral(" + kBlockUnits")
                                                        : QStringLiteral(" + %1 * kBlockUnits").arg(gate));
        return text;
    }

    QString statements() {
        std::vector<StoredElement> targets;
        for (const KernelStore &store : m_kernel.stores)
            targets.push_back({QStringLiteral("%1[%2]").arg(
                m_names.nameOf(store.buffer),
                indexExpression(store.address, {QStringLiteral("row"), QStringLiteral("column"), {}}))});
        QString lines;
        for (const QString &line : epilogueStatements(
                 m_kernel,
                 [](int input) { return readName(static_cast<std::size_t>(input)) + QStringLiteral("[i]"); },
                 QStringLiteral("sum"), targets, m_functions, CodeDialect::Cuda))
            lines += wrapped(line, QString(8, QLatin1Char(' ')), QString(12, QLatin1Char(' ')));
        return lines;
    }

    ElementType m_type;
    bool m_isHalf;
    CellTile m_tile;
    int m_gates;
    std::set<QString> m_functions;
};

} // namespace

QString cellMatmulCudaText(const KernelSource &source) {
    return CellMatmul(source).run();
}

} // namespace warpwright
