// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/skinny_matmul.h"

#include "agent/playbook/codegen/cuda/matmul/templates/skinny_matmul.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"

#include <set>

namespace warpwright {
namespace {

class SkinnyMatmul : private KernelWriter {
public:
    explicit SkinnyMatmul(const KernelSource &source)
        : KernelWriter(source),
          m_loops(source.kernel),
          m_tall(source.kernel.inputs[m_loops.tallInput]),
          m_skinny(source.kernel.inputs[1 - m_loops.tallInput]),
          m_type(m_tall.type),
          m_isHalf(m_type == ElementType::Float16 || m_type == ElementType::BFloat16),
          m_compute(m_type == ElementType::Float64 ? QStringLiteral("double") : QStringLiteral("float")) {
        m_transposesReads = m_loops.isReadTransposed(source.kernel);
        m_transposesWrites = m_loops.isWrittenTransposed(source.kernel);
        for (std::size_t k = 0; k < m_loops.batches; ++k)
            m_counters << QStringLiteral("batch%1").arg(m_loops.batches > 1 ? QString::number(k + 1)
                                                                            : QString());
        m_counters << QString() << QString() << QStringLiteral("inner");
        m_counters[static_cast<qsizetype>(m_loops.tall)] = QStringLiteral("row");
        m_counters[static_cast<qsizetype>(m_loops.small)] = QStringLiteral("column");
        for (std::size_t k = 0; k < m_loops.batches; ++k)
            m_batches *= source.kernel.loops[k];
    }

    QString run() {
        const QStringList passed = m_isHalf ? castPointers(m_names, memory()) : m_names.buffers;
        const QString write = m_transposesWrites ? transposedWrite() : directWrite();
        const std::vector<int> choices = skinnyMatmulRows(m_kernel);
        QString cases = QStringLiteral("    switch (config) {\n");
        QStringList words;
        for (std::size_t i = choices.size(); i-- > 0;) {
            cases += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
            cases += wrappedCall(QStringLiteral("        return launch<%1>(").arg(choices[i]),
                                 (passed + QStringList(QStringLiteral("stream"))).join(QLatin1String(", ")),
                                 QStringLiteral(");"));
            words.prepend(QStringLiteral("%1 -> %2").arg(i).arg(choices[i]));
        }
        return fillTemplate(
            skinnyMatmulText,
            {{"head", opening()},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : QString()},
             {"rows", number(m_loops.tall)},
             {"perBatch", m_batches > 1 ? QStringLiteral(", in each batch") : QString()},
             {"inner", number(m_loops.inner)},
             {"columns", number(m_loops.small)},
             {"batchConstant", m_batches > 1
                                   ? QStringLiteral("constexpr std::int64_t kBatches = %1; // separate "
                                                    "matmuls\n")
                                         .arg(m_batches)
                                   : QString()},
             {"threads", QString::number(skinnyMatmulThreads)},
             {"pitches", pitches()},
             {"functions", helperFunctions(m_functions, CodeDialect::Cuda)},
             {"signature", wrappedCall(QStringLiteral("    %1(").arg(m_names.function),
                                       pointerParameters(m_names, memory(), true), QStringLiteral(") {"))
                               .chopped(1)},
             {"places", positions()},
             {"batches", batchLines()},
             {"factor", value(QStringLiteral("%1[%2]").arg(m_names.nameOf(m_skinny.buffer),
                                                           indexExpression(m_skinny.address, m_counters)))},
             {"stage", stage()},
             {"in", base(m_tall.buffer, m_tall.address, {m_loops.tall, m_loops.inner})},
             {"out",
              base(m_kernel.stores[0].buffer, m_kernel.stores[0].address, {m_loops.tall, m_loops.small})},
             {"read", m_transposesReads ? transposedRead() : directRead()},
             {"multiply", multiply()},
             {"write", write},
             {"start", wrappedCall(QStringLiteral("int launch("),
                                   pointerParameters(m_names, memory(), false) +
                                       QStringLiteral(", cudaStream_t stream"),
                                   QStringLiteral(") {"))
                           .chopped(1)},
             {"batchCount", m_batches > 1 ? QStringLiteral("kBatches * ") : QString()},
             {"function", m_names.function},
             {"arguments", m_names.buffers.join(QLatin1String(", "))},
             {"words", words.join(QLatin1String(", "))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_program, m_names) +
                                          QStringLiteral(", int config, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"cases", cases + QStringLiteral("    }")},
             {"memory", memory()},
             {"compute", m_compute}});
    }

private:
    QString number(std::size_t loop) const { return QString::number(m_kernel.loops[loop]); }
    QString memory() const { return cTypeName(m_type, true); }
    QString value(const QString &element) const {
        return m_type == ElementType::Float16    ? QStringLiteral("__half2float(%1)").arg(element)
               : m_type == ElementType::BFloat16 ? QStringLiteral("__bfloat162float(%1)").arg(element)
                                                 : element;
    }
    QString step(const AffineExpr &address, std::size_t loop) const {
        return address.steps[loop] == 1 ? QString()
                                        : QStringLiteral(" * std::int64_t(%1)").arg(address.steps[loop]);
    }

    QString opening() const {
        QString text = kernelHeadComment(
            m_kernel, m_names,
            QStringLiteral(
                "A tall-skinny GEMM: one matrix is tall, the other one small. Few multiplications for each "
                "element that is read, so it is memory-bound, and a library's tiles of 64 columns and more "
                "would be mostly empty."));
        const auto point = [&text](const QString &words) {
            text += wrapped(words, QStringLiteral("//   "), QStringLiteral("//      "));
        };
        point(QStringLiteral(
            "1. A thread holds whole rows of the tall matrix in registers: each element is loaded "
            "once and used for all columns."));
        point(QStringLiteral("2. Several rows a thread: each element of the small matrix that is loaded from "
                             "shared memory is used for all of them."));
        if (m_transposesReads || m_transposesWrites)
            point(QStringLiteral(
                "3. A row is contiguous, but neighbouring threads have neighbouring rows: so a warp's "
                "accesses are coalesced, and shared memory transposes between them and a row for "
                "each thread."));
        return text;
    }

    QString pitches() const {
        QString text;
        if (m_transposesReads)
            text +=
                QStringLiteral("constexpr int kInnerPitch = kInner | 1; // odd: neighbouring rows begin in "
                               "different banks\n");
        if (m_transposesWrites)
            text += QStringLiteral("constexpr int kColumnPitch = kColumns | 1; // odd for the same reason\n");
        if (m_transposesWrites && !m_transposesReads)
            text.replace(QLatin1String("odd for the same reason"),
                         QLatin1String("odd: neighbouring rows begin in different banks"));
        return text;
    }

    QString positions() const {
        return m_batches > 1
                   ? QStringLiteral(
                         "    constexpr int kBlocksPerBatch = (kRows - 1) / (kThreads * ROWS) + 1;\n"
                         "    const int firstRow = blockIdx.x % kBlocksPerBatch * (kThreads * "
                         "ROWS);\n")
                   : QStringLiteral("    const int firstRow = blockIdx.x * (kThreads * ROWS);\n");
    }

    QString batchLines() const {
        QString text;
        std::int64_t span = 1;
        for (std::size_t k = m_loops.batches; k-- > 0;) {
            QString line = QStringLiteral("    const std::int64_t %1 = blockIdx.x / kBlocksPerBatch")
                               .arg(m_counters[static_cast<qsizetype>(k)]);
            if (m_batches == 1)
                line = QStringLiteral("    const std::int64_t %1 = 0")
                           .arg(m_counters[static_cast<qsizetype>(k)]);
            if (span > 1)
                line += QStringLiteral(" / %1").arg(span);
            span *= m_kernel.loops[k];
            if (span < m_batches)
                line += QStringLiteral(" % %1").arg(m_kernel.loops[k]);
            text.prepend(line + QLatin1String(";\n"));
        }
        return text;
    }

    QString stage() const {
        if (!m_transposesReads && !m_transposesWrites)
            return {};
        const QString pitch =
            m_transposesReads && m_transposesWrites
                ? QStringLiteral("(kInnerPitch > kColumnPitch ? kInnerPitch : kColumnPitch)")
            : m_transposesReads ? QStringLiteral("kInnerPitch")
                                : QStringLiteral("kColumnPitch");
        return QStringLiteral("    __shared__ %1 staging[kThreads * ROWS * %2];\n").arg(m_compute, pitch);
    }

    /// A pointer to the start of the batch.
    QString base(int buffer, AffineExpr address, std::initializer_list<std::size_t> without) const {
        for (const std::size_t loop : without)
            address.steps[loop] = 0;
        const QString index = indexExpression(address, m_counters);
        const QString name = m_names.nameOf(buffer);
        return index == QLatin1String("0") ? name : QStringLiteral("%1 + %2").arg(name, index);
    }

    QString directRead() const {
        return QStringLiteral("#pragma unroll\n"
                              "    for (int j = 0; j < ROWS; ++j) {\n"
                              "        // Threads beyond the last row read that row again.\n"
                              "        const int wanted = firstRow + j * kThreads + int(threadIdx.x);\n"
                              "        const int row = wanted < kRows ? wanted : kRows - 1;\n"
                              "#pragma unroll\n"
                              "        for (int inner = 0; inner < kInner; ++inner)\n"
                              "            tallRows[j][inner] = %1;\n"
                              "    }\n")
            .arg(value(QStringLiteral("in[row%1 + inner%2]")
                           .arg(step(m_tall.address, m_loops.tall), step(m_tall.address, m_loops.inner))));
    }

    QString transposedRead() const {
        return QStringLiteral(
                   "    for (int k = threadIdx.x; k < kThreads * ROWS * kInner; k += kThreads) {\n"
                   "        const int row = firstRow + k / kInner;\n"
                   "        if (row < kRows)\n"
                   "            staging[k / kInner * kInnerPitch + k % kInner] = %1;\n"
                   "    }\n"
                   "    __syncthreads();\n"
                   "#pragma unroll\n"
                   "    for (int j = 0; j < ROWS; ++j)\n"
                   "#pragma unroll\n"
                   "        for (int inner = 0; inner < kInner; ++inner)\n"
                   "            tallRows[j][inner] = staging[(j * kThreads + threadIdx.x) * kInnerPitch + "
                   "inner];\n%2")
            .arg(value(QStringLiteral("in[row%1 + k % kInner]").arg(step(m_tall.address, m_loops.tall))),
                 m_transposesWrites ? QStringLiteral("    __syncthreads();\n") : QString());
    }

    QString multiply() const {
        return QStringLiteral("    for (int column = 0; column < kColumns; ++column) {\n"
                              "        %1 sum[ROWS] = {};\n"
                              "#pragma unroll\n"
                              "        for (int inner = 0; inner < kInner; ++inner) {\n"
                              "            const %1 b = smallMatrix[column * kPaddedInner + inner];\n"
                              "#pragma unroll\n"
                              "            for (int j = 0; j < ROWS; ++j)\n"
                              "                sum[j] += tallRows[j][inner] * b;\n"
                              "        }\n"
                              "#pragma unroll\n")
            .arg(m_compute);
    }

    QString statements(const QString &sum, const QString &target, int depth) {
        QString lines;
        for (const QString &line : epilogueStatements(
                 m_kernel, [this](int buffer) { return m_names.nameOf(buffer); }, m_counters, sum, target,
                 m_functions, CodeDialect::Cuda))
            lines += wrapped(line, QString(depth, QLatin1Char(' ')), QString(depth + 4, QLatin1Char(' ')));
        return lines;
    }

    QString directWrite() {
        const AffineExpr &address = m_kernel.stores[0].address;
        return QStringLiteral("        for (int j = 0; j < ROWS; ++j) {\n"
                              "            const int row = firstRow + j * kThreads + int(threadIdx.x);\n"
                              "            if (row < kRows) {\n%1            }\n"
                              "        }\n"
                              "    }\n")
            .arg(statements(QStringLiteral("sum[j]"),
                            QStringLiteral("out[row%1 + column%2]")
                                .arg(step(address, m_loops.tall), step(address, m_loops.small)),
                            16));
    }

    QString transposedWrite() {
        const AffineExpr &address = m_kernel.stores[0].address;
        return QStringLiteral(
                   "        for (int j = 0; j < ROWS; ++j)\n"
                   "            staging[(j * kThreads + threadIdx.x) * kColumnPitch + column] = sum[j];\n"
                   "    }\n"
                   "    __syncthreads();\n"
                   "    for (int k = threadIdx.x; k < kThreads * ROWS * kColumns; k += kThreads) {\n"
                   "        const int row = firstRow + k / kColumns;\n"
                   "        const int column = k % kColumns;\n"
                   "        if (row >= kRows)\n"
                   "            break;\n%1"
                   "    }\n")
            .arg(statements(QStringLiteral("staging[k / kColumns * kColumnPitch + column]"),
                            QStringLiteral("out[row%1 + column]").arg(step(address, m_loops.tall)), 8));
    }

    SkinnyMatmulLoops m_loops;
    const KernelInput &m_tall;
    const KernelInput &m_skinny;
    ElementType m_type;
    bool m_isHalf;
    QString m_compute;
    bool m_transposesReads = false;
    bool m_transposesWrites = false;
    QStringList m_counters;
    std::int64_t m_batches = 1;
    std::set<QString> m_functions;
};

} // namespace

QString skinnyMatmulCudaText(const KernelSource &source) {
    return SkinnyMatmul(source).run();
}

} // namespace warpwright
