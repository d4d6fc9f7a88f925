// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/sm90_batched_matmul.h"

#include "agent/playbook/codegen/cuda/matmul/templates/sm90_batched_matmul.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/matmul/sm90_batched_matmul.h"
#include "agent/playbook/target/program_device.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int rowBytes = 128; ///< per row of a stage
constexpr int tileColumns = batchedTileColumns;
constexpr int barrierBytes = 16; ///< per stage

class Sm90BatchedMatmul : private KernelWriter {
public:
    explicit Sm90BatchedMatmul(const KernelSource &source)
        : KernelWriter(source), m_width(batchedTileRows(source.kernel)) {
        for (std::size_t i = 2; i < source.kernel.inputs.size(); ++i)
            if (std::find(m_epilogueOperands.begin(), m_epilogueOperands.end(),
                          source.kernel.inputs[i].buffer) == m_epilogueOperands.end())
                m_epilogueOperands.push_back(source.kernel.inputs[i].buffer);
    }

    QString run() {
        const KernelStore &store = m_kernel.stores[0];
        const QString statements = this->statements();
        const int stageBytes = (tileColumns + m_width) * rowBytes + barrierBytes;
        return fillTemplate(
            sm90BatchedMatmulText,
            {{"instructions", mbarrierInstructions + mbarrierArriveInstruction +
                                  ofShared(tmaLoad2dInstruction) + tmaLoad3dInstruction + wgmmaInstructions +
                                  makeAnywayText(ElementType::Float32)},
             {"head", opening()},
             {"sharedWords", ofShared(QStringLiteral(", with the same first matrix"))},
             {"copyRows", isFirstOfBatch() ? QStringLiteral("tmaLoad3d") : QStringLiteral("tmaLoad2d")},
             {"ofBatch", ofFirst(QStringLiteral(", tile.batch"))},
             {"rankA", isFirstOfBatch() ? QStringLiteral("3") : QStringLiteral("2")},
             {"stridesA", isFirstOfBatch() ? QStringLiteral("2") : QStringLiteral("1")},
             {"batchesA", ofFirst(QStringLiteral(", kBatches"))},
             {"batchStrideA",
              ofFirst(QStringLiteral(", %1 * sizeof(float)").arg(inputOf(0).address.steps[0]))},
             {"boxBatchA", ofFirst(QStringLiteral(", 1"))},
             {"begin", producerWarpgroupText},
             {"encoder", tensorMapEncoder},
             {"runtime", QStringLiteral("#include <cuda_runtime.h>")},
             {"batches", number(0)},
             {"rows", number(1)},
             {"columns", number(2)},
             {"inner", number(3)},
             {"width", QString::number(m_width)},
             {"stages", QString::number(deviceOf(m_kernel).sharedBytesOfBlock / stageBytes)},
             {"functions", helperFunctions(m_functions, CodeDialect::Cuda)},
             {"multiply", wgmmaText({m_width, ElementType::Float32, true})},
             {"function", m_names.function},
             {"parameters", parameters()},
             // The same number of registers, however many epilogue operands there are.
             {"atOnce", QString::number(epilogueVectors(m_kernel) <= 1   ? 8
                                        : epilogueVectors(m_kernel) == 2 ? 4
                                                                         : 2)},
             {"prefetches", prefetches()},
             {"prefetch", prefetchText()},
             {"reads", reads()},
             {"finish", finishedVector(statements, 16)},
             {"out", addressOf(store.buffer, store.address)},
             {"launcher", launcher()},
             {"pitchA", QString::number(inputOf(0).address.steps[1])},
             {"pitchB", QString::number(inputOf(1).address.steps[3])},
             {"batchPitch", QString::number(inputOf(1).address.steps[0])},
             {"matrixA", matrix(0)},
             {"matrixB", matrix(1)},
             {"arguments", arguments()}});
    }

private:
    [[nodiscard]] QString number(std::size_t loop) const { return QString::number(m_kernel.loops[loop]); }
    [[nodiscard]] const KernelInput &inputOf(std::size_t input) const { return m_kernel.inputs[input]; }
    /// Whether the first matrix is batched too.
    [[nodiscard]] bool isFirstOfBatch() const { return inputOf(0).address.steps[0] != 0; }
    [[nodiscard]] QString ofShared(const QString &words) const {
        return isFirstOfBatch() ? QString() : words;
    }
    [[nodiscard]] QString ofFirst(const QString &words) const { return isFirstOfBatch() ? words : QString(); }

    [[nodiscard]] QString opening() const {
        QString head = kernelHeadComment(
            m_kernel, m_names,
            QStringLiteral("A batched GEMM with a fused epilogue. A library's GEMM is hard to beat, but its "
                           "epilogue cannot do this one: the results would be read and written once more. "
                           "For GPUs of compute capability 9.0:"));
        for (const QString &point :
             {QStringLiteral("The tensor cores (wgmma) need floats contiguous along K, the dimension that is "
                             "summed over, but the second matrix is contiguous along its columns. An operand "
                             "in registers may have any layout: so its columns are loaded into registers, "
                             "and multiplied with rows of the first matrix in shared memory."),
              QStringLiteral("TMA loads boxes of both into shared memory while the previous ones are "
                             "multiplied. The warpgroup that copies needs few registers, and gives its spare "
                             "ones to the others."),
              QStringLiteral("A thread has four adjacent columns of each of its rows, which one "
                             "instruction stores.")})
            head += wrapped(point, QStringLiteral("//   - "), QStringLiteral("//     "));
        return head;
    }

    /// "x + batch * 3136 + row * 512 + column"
    [[nodiscard]] QString addressOf(int buffer, const AffineExpr &address) const {
        return QStringLiteral("%1 + %2").arg(
            m_names.nameOf(buffer), indexExpression(address, {QStringLiteral("batch"), QStringLiteral("row"),
                                                              QStringLiteral("column"), QString()}));
    }
    static QString readName(std::size_t input) { return QStringLiteral("read%1").arg(input - 1); }
    [[nodiscard]] bool isOfRow(std::size_t input) const { return inputOf(input).address.steps[2] == 0; }
    [[nodiscard]] bool isLikeOutput(std::size_t input) const {
        return !isOfRow(input) && inputOf(input).address.steps[1] != 0;
    }

    [[nodiscard]] QString parameters() const {
        QStringList list;
        for (const int buffer : m_epilogueOperands)
            list << QStringLiteral("const float *__restrict__ %1").arg(m_names.nameOf(buffer));
        list << QStringLiteral("float *__restrict__ %1").arg(m_names.nameOf(m_kernel.stores[0].buffer));
        return QStringLiteral(",\n        ") + list.join(QLatin1String(", "));
    }
    [[nodiscard]] QString arguments() const {
        QString list;
        for (const int buffer : m_epilogueOperands)
            list += QStringLiteral(", ") + m_names.nameOf(buffer);
        return list + QStringLiteral(", ") + m_names.nameOf(m_kernel.stores[0].buffer);
    }
    [[nodiscard]] QString matrix(std::size_t input) const {
        const std::int64_t offset = inputOf(input).address.offset;
        return m_names.nameOf(inputOf(input).buffer) +
               (offset == 0 ? QString() : QStringLiteral(" + %1").arg(offset));
    }
    [[nodiscard]] QString launcher() const {
        return wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                           launcherParameters(m_graph, m_program, m_names) +
                               QStringLiteral(", int, cudaStream_t stream"),
                           QStringLiteral(") {"))
            .chopped(1);
    }

    /// Prefetches epilogue operands that are laid out like the result into L2 during the main loop.
    [[nodiscard]] QString prefetches() const {
        QString lines;
        for (std::size_t i = 2; i < m_kernel.inputs.size(); ++i)
            if (isLikeOutput(i))
                lines += QStringLiteral("            prefetch(%1);\n")
                             .arg(addressOf(inputOf(i).buffer, inputOf(i).address));
        if (lines.isEmpty())
            return {};
        return QStringLiteral(
                   "#pragma unroll // epilogue operands: a cache line of 32 columns for each row\n"
                   "        for (int i = 0; i < kTileM / 32; ++i) {\n"
                   "            const int row = min(tile.firstRow + i * 32 + lane, kRows - 1);\n") +
               lines + QStringLiteral("        }\n");
    }
    [[nodiscard]] QString prefetchText() const {
        return prefetches().isEmpty()
                   ? QString()
                   : QStringLiteral(
                         "__device__ __forceinline__ void prefetch(const float *address) {\n"
                         "    asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(address));\n}\n\n");
    }

    [[nodiscard]] QString reads() const {
        QString arrays, lines;
        for (std::size_t i = 2; i < m_kernel.inputs.size(); ++i) {
            const QString position = addressOf(inputOf(i).buffer, inputOf(i).address);
            arrays += QStringLiteral("            %1 %2[kInFlight];\n")
                          .arg(isOfRow(i) ? QStringLiteral("float") : QStringLiteral("Vec"), readName(i));
            lines += QStringLiteral("                %1[i] = *%2;\n")
                         .arg(readName(i),
                              isOfRow(i) ? QStringLiteral("(%1)").arg(position)
                                         : QStringLiteral("reinterpret_cast<const Vec *>(%1)").arg(position));
        }
        if (lines.isEmpty())
            return {};
        if (lines.contains(QRegularExpression(QStringLiteral("\\brow\\b"))))
            lines.prepend(
                QStringLiteral("                const int row = min(rowOf(firstVector + i), kRows - 1);\n"));
        return arrays +
               QStringLiteral("#pragma unroll\n            for (int i = 0; i < kInFlight; ++i) {\n") + lines +
               QStringLiteral("            }\n");
    }

    QString statements() {
        QString lines;
        const auto elementOf = [this](int input) {
            const auto which = static_cast<std::size_t>(input);
            return readName(which) + (isOfRow(which) ? QStringLiteral("[i]") : QStringLiteral("[i].at[k]"));
        };
        for (const QString &line :
             epilogueStatements(m_kernel, elementOf, QStringLiteral("sum[k]"), QStringLiteral("result.at[k]"),
                                m_functions, CodeDialect::Cuda))
            lines += wrapped(line, QString(20, QLatin1Char(' ')), QString(24, QLatin1Char(' ')));
        return lines;
    }

    int m_width;                         ///< rows of a tile
    std::vector<int> m_epilogueOperands; ///< buffers that the epilogue reads
    std::set<QString> m_functions;
};

} // namespace

QString sm90BatchedMatmulCudaText(const KernelSource &source) {
    return Sm90BatchedMatmul(source).run();
}

} // namespace warpwright
