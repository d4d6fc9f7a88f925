// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_scalar.h"

#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_common.h"
#include "agent/playbook/codegen/cuda/matmul/templates/sm90_matmul.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"

namespace warpwright {
namespace {

constexpr int pitch = 40; ///< floats of a row in shared memory, free of bank conflicts between rows
constexpr int warpRows = 16;
constexpr int warps = 8; ///< consumers

const QString prefetchInstruction =
    QStringLiteral("__device__ __forceinline__ void prefetch(const void *address) {\n"
                   "    asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(address));\n}\n\n");

/// Epilogue for rows that begin within a sector: a warp transposes its sums through shared memory, so that
/// its threads have adjacent elements of one row, four each where rows are aligned to a vector.
class ScalarEpilogue : EpilogueWriter {
public:
    using EpilogueWriter::EpilogueWriter;

    Sm90Epilogue run() {
        Sm90Epilogue epilogue;
        const QString lines = statements(epilogue.functions);
        epilogue.sharedBytes = warps * warpRows * pitch * static_cast<int>(sizeof(float));
        epilogue.sharedTerm = QStringLiteral(" + %1 * kStagingFloats * int(sizeof(float))").arg(warps);
        epilogue.sharedPurpose = QStringLiteral(", and sums that warps transpose");
        const int width = epilogueWidth(m_kernel);
        const int atOnce = std::min(m_matrices.size() > 1 ? warpRows / 2 : warpRows, warpRows / width);
        epilogue.types =
            QStringLiteral(
                "// Adjacent elements, and their sums, loaded or stored by one instruction.\n"
                "struct alignas(kVecWidth * sizeof(%1)) Vec {\n    %1 at[kVecWidth];\n};\n"
                "struct alignas(kVecWidth * sizeof(float)) SumVec {\n    float at[kVecWidth];\n};\n\n")
                .arg(m_element);
        epilogue.constants =
            QStringLiteral("constexpr int kVecWidth = %4; // adjacent elements that a thread finishes\n"
                           "constexpr int kThreadsPerRow = 32 / kVecWidth; // threads along a row\n"
                           "constexpr int kPitch = %1; // of 32 transposed columns, without bank conflicts\n"
                           "constexpr int kStagingFloats = %2 * kPitch; // floats that a warp transposes\n"
                           "constexpr int kInFlight = %3; // rows whose loads are in flight together\n")
                .arg(pitch)
                .arg(warpRows)
                .arg(atOnce)
                .arg(width);
        epilogue.held = QStringLiteral(
            "    float *const staging = reinterpret_cast<float *>(shared + kStages * (kStageBytes + 16)) +\n"
            "                          (threadIdx.x / 32 - 4) * kStagingFloats;\n");
        epilogue.after =
            fillTemplate(scalarEpilogue, {{"tileN", columnsConstant()},
                                          {"turnOther", transposeOther()},
                                          {"perColumnLoads", ofColumns()},
                                          {"reads", reads()},
                                          {"sum", sum()},
                                          {"finish", finishedVector(lines, 20, QStringLiteral("kVecWidth"))},
                                          {"results", resultVectors(20)},
                                          {"stores", storesText(20)}});
        epilogue.before = prefetches();
        if (!epilogue.before.isEmpty())
            epilogue.instructions = prefetchInstruction;
        return epilogue;
    }

private:
    /// Transposes the second GEMM's sums through the same memory, after the first one's have been read.
    [[nodiscard]] QString transposeOther() const {
        return m_isPair
                   ? QStringLiteral(
                         "            SumVec firstSums[16 / kVecWidth];\n"
                         "#pragma unroll\n"
                         "            for (int i = 0; i < 16 / kVecWidth; ++i)\n"
                         "                firstSums[i] = *reinterpret_cast<const SumVec *>(staging + (i * "
                         "kVecWidth + lane / kThreadsPerRow) * kPitch +\n"
                         "                                                          columnInPart);\n"
                         "            transpose(sums + kTileN / 4 + 16 * part);\n")
                   : QString();
    }
    [[nodiscard]] QString sum() const {
        const QString space(20, QLatin1Char(' '));
        const QString line = QStringLiteral("const SumVec %1 = *reinterpret_cast<const SumVec *>(staging + "
                                            "warpRow * kPitch + columnInPart);\n");
        return m_isPair ? space + QStringLiteral("const SumVec sum = firstSums[rowBase / kVecWidth + i];\n") +
                              space + line.arg(QStringLiteral("other"))
                        : space + line.arg(QStringLiteral("sum"));
    }
    [[nodiscard]] QString ofColumns() const {
        QString text;
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += QStringLiteral("            Vec %1;\n#pragma unroll\n"
                                   "            for (int k = 0; k < kVecWidth; ++k)\n"
                                   "                %1.at[k] = (%2)[k];\n")
                        .arg(vectorName(i), EpilogueWriter::addressOf(m_vectors[i]));
        return text;
    }
    /// Prefetches epilogue operands that are laid out like the result into L2 during the main loop.
    [[nodiscard]] QString prefetches() const {
        QString lines;
        for (const int input : m_matrices)
            lines += QStringLiteral("            prefetch(%1);\n").arg(EpilogueWriter::addressOf(input));
        const int line = 128 / static_cast<int>(bytesOf(m_type));
        return lines.isEmpty()
                   ? QString()
                   : QStringLiteral(
                         "#pragma unroll // epilogue operands, by cache lines of 128 bytes\n"
                         "        for (int i = threadIdx.x % 128; i < 64 * (%1 / %2); i += 128) {\n"
                         "            const int row = min(firstRow + 64 * warpgroup + i / (%1 / %2), kRows - "
                         "1);\n"
                         "            const int column = min(firstColumn + i % (%1 / %2) * %2, kColumns - "
                         "1);\n")
                             .arg(columnsConstant())
                             .arg(line) +
                         lines + QStringLiteral("        }\n");
    }
    [[nodiscard]] QString reads() const {
        QString arrays, lines;
        for (std::size_t i = 0; i < m_matrices.size(); ++i) {
            arrays += QStringLiteral("                Vec %1[kInFlight];\n").arg(readName(i));
            lines += QStringLiteral("                    %1[i] = *reinterpret_cast<const Vec *>(%2);\n")
                         .arg(readName(i), EpilogueWriter::addressOf(m_matrices[i]));
        }
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            arrays += QStringLiteral("                %1 %2[kInFlight];\n").arg(m_element, oneName(i));
            lines += QStringLiteral("                    %1[i] = *(%2);\n")
                         .arg(oneName(i), EpilogueWriter::addressOf(m_rows[i]));
        }
        if (lines.isEmpty())
            return {};
        return arrays +
               QStringLiteral(
                   "#pragma unroll\n"
                   "                for (int i = 0; i < kInFlight; ++i) {\n"
                   "                    const int row = min(warpFirstRow + rowBase + i * kVecWidth + lane / "
                   "kThreadsPerRow, kRows - 1);\n") +
               lines + QStringLiteral("                }\n");
    }
    QString statements(std::set<QString> &functions) const {
        const auto elementOf = [this](int input) {
            if (const auto i = among(m_matrices, input))
                return readName(*i) + QStringLiteral("[i].at[k]");
            if (const auto i = among(m_vectors, input))
                return vectorName(*i) + QStringLiteral(".at[k]");
            const auto i = among(m_rows, input);
            return i ? oneName(*i) + QStringLiteral("[i]") : QString();
        };
        QString lines;
        for (const QString &line : statementsOf(elementOf, QStringLiteral("sum.at[k]"), functions))
            lines += wrapped(line, QString(24, QLatin1Char(' ')), QString(28, QLatin1Char(' ')));
        return lines;
    }
};

} // namespace

Sm90Epilogue sm90ScalarEpilogue(const Kernel &kernel, const KernelNames &names) {
    return ScalarEpilogue(kernel, names).run();
}

} // namespace warpwright
