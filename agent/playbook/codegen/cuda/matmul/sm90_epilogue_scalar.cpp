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
    QStringLiteral("__device__ __forceinline__ void prefetch(const void *place) {\n"
                   "    asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(place));\n}\n\n");

/// Epilogue for rows that begin within a sector: a warp transposes its sums through shared memory, so that
/// its threads have adjacent elements of one row, four each where rows are aligned to a vector.
class ScalarEpilogue : EpilogueWriter {
public:
    using EpilogueWriter::EpilogueWriter;

    Sm90Epilogue run() {
        Sm90Epilogue epilogue;
        const QString lines = statements(epilogue.functions);
        epilogue.sharedBytes = warps * warpRows * pitch * static_cast<int>(sizeof(float));
        epilogue.sharedTerm = QStringLiteral(" + %1 * kTurned * int(sizeof(float))").arg(warps);
        epilogue.sharedPurpose = QStringLiteral(", and sums that warps transpose");
        const int width = epilogueWidth(m_kernel);
        const int atOnce = std::min(m_matrices.size() > 1 ? warpRows / 2 : warpRows, warpRows / width);
        epilogue.types =
            QStringLiteral("// Adjacent elements, and their sums, loaded or stored by one instruction.\n"
                           "struct alignas(kWide * sizeof(%1)) Pack {\n    %1 at[kWide];\n};\n"
                           "struct alignas(kWide * sizeof(float)) Sums {\n    float at[kWide];\n};\n\n")
                .arg(m_element);
        epilogue.constants =
            QStringLiteral("constexpr int kWide = %4; // adjacent elements that a thread finishes\n"
                           "constexpr int kAcross = 32 / kWide; // threads along a row\n"
                           "constexpr int kPitch = %1; // of 32 transposed columns, without bank conflicts\n"
                           "constexpr int kTurned = %2 * kPitch; // floats that a warp transposes\n"
                           "constexpr int kAtOnce = %3; // rows whose loads are in flight together\n")
                .arg(pitch)
                .arg(warpRows)
                .arg(atOnce)
                .arg(width);
        epilogue.held = QStringLiteral(
            "    float *const turned = reinterpret_cast<float *>(shared + kStages * (kStageBytes + 16)) +\n"
            "                          (threadIdx.x / 32 - 4) * kTurned;\n");
        epilogue.after =
            fillTemplate(elementsAfter, {{"own", columnsConstant()},
                                         {"turnOther", transposeOther()},
                                         {"ofColumns", ofColumns()},
                                         {"reads", reads()},
                                         {"sum", sum()},
                                         {"finish", finishedVector(lines, 20, QStringLiteral("kWide"))},
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
                   ? QStringLiteral("            Sums kept[16 / kWide];\n"
                                    "#pragma unroll\n"
                                    "            for (int i = 0; i < 16 / kWide; ++i)\n"
                                    "                kept[i] = *reinterpret_cast<const Sums *>(turned + (i * "
                                    "kWide + lane / kAcross) * kPitch +\n"
                                    "                                                          inPart);\n"
                                    "            turn(sums + kTileColumns / 4 + 16 * part);\n")
                   : QString();
    }
    [[nodiscard]] QString sum() const {
        const QString space(20, QLatin1Char(' '));
        const QString line = QStringLiteral(
            "const Sums %1 = *reinterpret_cast<const Sums *>(turned + place * kPitch + inPart);\n");
        return m_isPair ? space + QStringLiteral("const Sums sum = kept[first / kWide + i];\n") + space +
                              line.arg(QStringLiteral("other"))
                        : space + line.arg(QStringLiteral("sum"));
    }
    [[nodiscard]] QString ofColumns() const {
        QString text;
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += QStringLiteral("            Pack %1;\n#pragma unroll\n"
                                   "            for (int k = 0; k < kWide; ++k)\n"
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
                         "            const int row = min(firstRow + 64 * group + i / (%1 / %2), kRows - "
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
            arrays += QStringLiteral("                Pack %1[kAtOnce];\n").arg(readName(i));
            lines += QStringLiteral("                    %1[i] = *reinterpret_cast<const Pack *>(%2);\n")
                         .arg(readName(i), EpilogueWriter::addressOf(m_matrices[i]));
        }
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            arrays += QStringLiteral("                %1 %2[kAtOnce];\n").arg(m_element, oneName(i));
            lines += QStringLiteral("                    %1[i] = *(%2);\n")
                         .arg(oneName(i), EpilogueWriter::addressOf(m_rows[i]));
        }
        if (lines.isEmpty())
            return {};
        return arrays +
               QStringLiteral("#pragma unroll\n"
                              "                for (int i = 0; i < kAtOnce; ++i) {\n"
                              "                    const int row = min(top + first + i * kWide + lane / "
                              "kAcross, kRows - 1);\n") +
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
