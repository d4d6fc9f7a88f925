// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue.h"

#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_common.h"
#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_scalar.h"
#include "agent/playbook/codegen/cuda/matmul/templates/sm90_matmul.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"
#include "agent/playbook/codegen/cuda/trig_range_reduction.h"

#include <algorithm>

namespace warpwright {
namespace {

QString indented(const QString &text, int spaces) {
    QString deeper;
    for (const QString &line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        deeper += (line.startsWith(QLatin1Char(' ')) ? QString(spaces, QLatin1Char(' ')) : QString()) + line +
                  QLatin1Char('\n');
    return deeper;
}

/// A loop over pieces in rounds; the remaining sums move down in the registers. `again`: a piece with full
/// range reduction, for rounds with an angle too large for the functions of `piece`; empty: not needed.
QString vectorsInRounds(const QString &piece, const QString &again, int rounds, bool isPair) {
    // Four rounds move the second's sums, then those of the last two, then the fourth's. Two rounds always
    // move, even at the end: with a condition ptxas serializes the wgmmas of each stage (C7517).
    QString moves;
    for (int odd = 0; odd < rounds / 2; ++odd) {
        const int each = 4 * (odd + 1);
        const QString move = QStringLiteral("sums[%1i] = sums[%1kVectorsPerRound * %2 + i]");
        QString ofBoth = move.arg(QString()).arg(each);
        if (isPair)
            ofBoth += QStringLiteral(",\n") + QString(16, QLatin1Char(' ')) +
                      move.arg(QLatin1String("kTileN / 4 + ")).arg(each);
        const QString loop = fillTemplate(
            vectorEpilogueShift, {{"each", QString::number(each)}, {"move", ofBoth + QLatin1Char(';')}});
        moves +=
            rounds == 2
                ? loop
                : QStringLiteral("            if (firstVector / kVectorsPerRound % 2 == %1)\n").arg(odd) +
                      indented(loop, 4);
    }
    return fillTemplate(
        vectorEpilogueRounds,
        {{"isLargeAngle",
          again.isEmpty()
              ? QString()
              : QStringLiteral("            bool isLargeAngle = false; // an angle too large for the fast "
                               "functions\n")},
         {"vector", indented(piece, 4)},
         {"again", again.isEmpty()
                       ? QString()
                       : fillTemplate(vectorEpilogueRecomputation, {{"vector", indented(again, 8)}})},
         {"moves", moves}});
}

constexpr int prefetchRegisters = 64; ///< for epilogue operands loaded before the main loop

/// Vectorized epilogue: a thread finishes four adjacent elements at once.
class VectorEpilogue : EpilogueWriter {
public:
    using EpilogueWriter::EpilogueWriter;

    Sm90Epilogue run() {
        Sm90Epilogue epilogue;
        const QString lines = statements(epilogue.functions);
        const QString loop = loopOverVector(lines, 12);
        const auto filledIn = [&](const QString &text, const QString &finish = QString()) {
            return fillTemplate(text, {{"at", at()},
                                       {"gets", gets()},
                                       {"vectors", vectors()},
                                       {"perRowLoads", ofRows()},
                                       {"reads", reads()},
                                       {"pair", pair()},
                                       {"packs", vecs()},
                                       {"finish", finish},
                                       {"results", resultVectors(12)},
                                       {"anyway", anyway()},
                                       {"stores", storesText(12)},
                                       {"refill", refill()}});
        };
        if (!m_vectors.empty()) {
            epilogue.sharedBytes =
                static_cast<int>(m_vectors.size()) * 2 * columnsOfOne() * static_cast<int>(bytesOf(m_type));
            epilogue.sharedTerm = QStringLiteral(" + %1 * 2 * %2 * int(sizeof(%3))")
                                      .arg(m_vectors.size())
                                      .arg(columnsConstant(), m_element);
            epilogue.sharedPurpose = QStringLiteral(", and per-column operands for each warpgroup");
        }
        epilogue.constants =
            QStringLiteral("constexpr int kVectors = %1 / 8; // vectors of four that a thread finishes\n")
                .arg(columnsConstant()) +
            (rounds() > 1
                 ? QStringLiteral("constexpr int kVectorsPerRound = kVectors / %1; // unrolling more would "
                                  "overflow the instruction cache\n")
                       .arg(rounds())
                 : QString()) +
            ahead();
        epilogue.types = QStringLiteral("// Four adjacent elements, loaded or stored by one instruction.\n"
                                        "struct alignas(4 * sizeof(%1)) Vec {\n    %1 at[4];\n};\n\n")
                             .arg(m_element) +
                         raw();
        epilogue.instructions = makeAnywayText(m_type) + groupBarrier();
        epilogue.held =
            QStringLiteral("    const int thread = threadIdx.x % 128;\n    const int odd = lane % 2;\n") +
            held();
        epilogue.before = filledIn(vectorEpilogueLoads);
        epilogue.after = fillTemplate(
            vectorEpilogue,
            {{"share", share()},
             {"pieces", branchesOnce()
                            ? pieces(filledIn(vectorEpilogueVector, withFastTrig(loop)),
                                     filledIn(vectorEpilogueVector, loop))
                            : pieces(filledIn(vectorEpilogueVector, finishedVector(lines, 12)), QString())}});
        return epilogue;
    }

private:
    /// Exchanges the second GEMM's sums of a piece like the first one's.
    [[nodiscard]] QString pair() const {
        return m_isPair ? QStringLiteral(
                              "            accum += kTileN / 4;\n"
                              "            const float otherReceived0 = __shfl_xor_sync(0xFFFFFFFF, "
                              "odd ? accum[0] : accum[4], 1);\n"
                              "            const float otherReceived1 = __shfl_xor_sync(0xFFFFFFFF, "
                              "odd ? accum[1] : accum[5], 1);\n"
                              "            const float other[4] = {odd ? otherReceived0 : accum[0], odd "
                              "? otherReceived1 : accum[1],\n"
                              "                                    odd ? accum[4] : otherReceived0, odd "
                              "? accum[5] : otherReceived1};\n")
                        : QString();
    }

    /// With full range reduction an element takes seventy instructions: an unrolled epilogue overflows the
    /// instruction cache. Sine of 60000 x 512 x 512 on an H100: 145 us unrolled, 135 in two rounds, 129 in
    /// four. With one branch a round, 16-bit types (122 us in four, 115 in two) and pairs (245 and 240) are
    /// faster in two.
    [[nodiscard]] int rounds() const {
        const bool isLong = std::any_of(
            m_kernel.steps.begin() + m_kernel.resultStep(), m_kernel.steps.end(),
            [](const KernelStep &step) { return step.op == Opcode::Sin || step.op == Opcode::Cos; });
        const int fours = columnsOfOne() / 8 / 4; // groups of four pieces, which are loaded together
        const bool areFew = m_matrices.empty() && (m_isPair || bytesOf(m_type) == 2);
        return !isLong ? 1 : fours % 4 == 0 && !areFew ? 4 : fours % 2 == 0 ? 2 : 1;
    }
    /// Whether a round checks for large angles only once, at its end: a branch for each piece would prevent
    /// interleaving pieces. Needs no epilogue operands like the result: their registers are refilled by then.
    [[nodiscard]] bool branchesOnce() const { return rounds() > 1 && m_matrices.empty(); }
    /// Pieces whose operands are loaded before the main loop; divides the pieces of a round.
    [[nodiscard]] int prefetchedPieces() const {
        const int each = prefetchRegisters * 4 / (4 * static_cast<int>(bytesOf(m_type)));
        const int ofRound = columnsOfOne() / 8 / rounds();
        int count = std::min(each / static_cast<int>(m_matrices.size()), ofRound);
        while (rounds() > 1 && ofRound % count != 0)
            --count;
        return count;
    }
    /// The index of a piece where it selects registers.
    [[nodiscard]] QString at() const {
        return rounds() > 1 ? QStringLiteral("inRound") : QStringLiteral("vector");
    }
    [[nodiscard]] QString pieces(const QString &piece, const QString &again) const {
        return rounds() == 1 ? fillTemplate(vectorEpilogueLoop, {{"vector", piece}})
                             : vectorsInRounds(piece, again, rounds(), m_isPair);
    }

    [[nodiscard]] QString ahead() const {
        if (m_matrices.empty())
            return {};
        return QStringLiteral(
                   "constexpr int kPrefetched = %1; // vectors that are loaded before the main loop%2\n")
            .arg(prefetchedPieces())
            .arg(m_matrices.size() > 1 ? QStringLiteral(", of each matrix") : QString());
    }

    [[nodiscard]] QString raw() const {
        if (m_matrices.empty())
            return {};
        return QStringLiteral("using RawVec = %1; // a vector as it is loaded\n\n"
                              "__device__ __forceinline__ Vec toVec(RawVec raw) {\n"
                              "    Vec vec;\n"
                              "    std::memcpy(&vec, &raw, sizeof vec);\n"
                              "    return vec;\n"
                              "}\n\n")
            .arg(m_type == ElementType::Float32 ? QStringLiteral("float4") : QStringLiteral("uint2"));
    }

    [[nodiscard]] QString groupBarrier() const {
        return m_vectors.empty()
                   ? QString()
                   : QStringLiteral("__device__ __forceinline__ void syncWarpgroup(int warpgroup) {\n"
                                    "    asm volatile(\"bar.sync %0, 128;\" ::\"r\"(warpgroup + 1) : "
                                    "\"memory\");\n"
                                    "}\n\n");
    }

    [[nodiscard]] QString held() const {
        QString text;
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += QStringLiteral(
                        "    %1 *const %2 = reinterpret_cast<%1 *>(shared + kStages * (kStageBytes + 16)) "
                        "+ (%3 + warpgroup) * %4;\n")
                        .arg(m_element, heldName(i))
                        .arg(2 * i)
                        .arg(columnsConstant());
        return text;
    }

    [[nodiscard]] QString gets() const {
        QString text;
        for (std::size_t i = 0; i < m_matrices.size(); ++i) {
            const KernelInput &input = inputOf(m_matrices[i]);
            text +=
                QStringLiteral(
                    "        const auto load%1 = [&](int vector) {%2\n"
                    "            const int row = min(rowOf(vector), kRows - 1);\n"
                    "            const int column = min(firstColumn + columnInTile(vector), kColumns - 4);\n"
                    "            return *reinterpret_cast<const RawVec *>(%3);\n"
                    "        };\n")
                    .arg(i + 1)
                    .arg(i == 0 ? QStringLiteral(" // clamped: beyond the end the last elements are read")
                                : QString(),
                         addressOf(input.buffer, input.address));
        }
        return text;
    }

    [[nodiscard]] QString vectors() const {
        QString text;
        for (std::size_t i = 0; i < m_vectors.size(); ++i) {
            const KernelInput &input = inputOf(m_vectors[i]);
            text +=
                QStringLiteral(
                    "        %1 %2[(%4 + 127) / 128];\n"
                    "#pragma unroll\n"
                    "        for (int i = 0; i < (%4 + 127) / 128; ++i) {\n"
                    "            const int column = min(firstColumn + thread + 128 * i, kColumns - 1);\n"
                    "            %2[i] = *(%3);\n"
                    "        }\n")
                    .arg(m_element, vectorName(i), addressOf(input.buffer, input.address), columnsConstant());
        }
        return text;
    }

    [[nodiscard]] QString ofRows() const { // a thread has two rows
        QString text;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const KernelInput &input = inputOf(m_rows[i]);
            text += QStringLiteral("        %1 %2[2];\n"
                                   "#pragma unroll\n"
                                   "        for (int vector = 0; vector < 2; ++vector) {\n"
                                   "            const int row = min(rowOf(vector), kRows - 1);\n"
                                   "            %2[vector] = *(%3);\n"
                                   "        }\n")
                        .arg(m_element, oneName(i), addressOf(input.buffer, input.address));
        }
        return text;
    }

    [[nodiscard]] QString reads() const {
        QString text;
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text += QStringLiteral("        RawVec %1[kPrefetched];\n"
                                   "#pragma unroll\n"
                                   "        for (int vector = 0; vector < kPrefetched; ++vector)\n"
                                   "            %1[vector] = load%2(vector);\n")
                        .arg(readName(i))
                        .arg(i + 1);
        return text;
    }

    [[nodiscard]] QString share() const {
        if (m_vectors.empty())
            return {};
        QString text =
            QStringLiteral("        syncWarpgroup(warpgroup); // the last tile's have been consumed\n"
                           "#pragma unroll\n"
                           "        for (int i = 0; i < (%2 + 127) / 128; ++i)\n"
                           "            if (thread + 128 * i < %2)%1\n")
                .arg(m_vectors.size() > 1 ? QStringLiteral(" {") : QString(), columnsConstant());
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += QStringLiteral("                %1[thread + 128 * i] = %2[i];\n")
                        .arg(heldName(i), vectorName(i));
        return text + (m_vectors.size() > 1 ? QStringLiteral("            }\n") : QString()) +
               QStringLiteral("        syncWarpgroup(warpgroup);\n");
    }

    [[nodiscard]] QString vecs() const {
        QString text;
        const QString indent(12, QLatin1Char(' '));
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text += indent +
                    QStringLiteral("const Vec %1Vec = toVec(%1[%2 % kPrefetched]);\n").arg(readName(i), at());
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text +=
                indent + QStringLiteral(
                             "const Vec %1Vec = *reinterpret_cast<const Vec *>(%1 + columnInTile(vector));\n")
                             .arg(heldName(i));
        return text;
    }

    [[nodiscard]] QString elementOf(int input) const {
        if (const auto i = among(m_matrices, input))
            return readName(*i) + QStringLiteral("Vec.at[k]");
        if (const auto i = among(m_vectors, input))
            return heldName(*i) + QStringLiteral("Vec.at[k]");
        const auto i = among(m_rows, input);
        return i ? oneName(*i) + QStringLiteral("[%1 % 2]").arg(at()) : QString();
    }

    [[nodiscard]] QString refill() const {
        if (m_matrices.empty())
            return {};
        const QString first = rounds() > 1 ? QStringLiteral("firstVector + ") : QString();
        QString text = QStringLiteral("            if (%2 % 4 == 3) // refill the registers of used vectors\n"
                                      "#pragma unroll\n"
                                      "                for (int i = %2 - 3; i <= %2; ++i)\n"
                                      "                    if (%3i + kPrefetched < kVectors)%1\n")
                           .arg(m_matrices.size() > 1 ? QStringLiteral(" {") : QString(), at(), first);
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text +=
                QStringLiteral("                        %1[i % kPrefetched] = load%2(%3i + kPrefetched);\n")
                    .arg(readName(i))
                    .arg(i + 1)
                    .arg(first);
        return text + (m_matrices.size() > 1 ? QStringLiteral("                    }\n") : QString());
    }

    [[nodiscard]] QString anyway() const {
        QString text;
        for (const QString &name : results())
            text += QStringLiteral("            materialize(%1);\n").arg(name);
        return text;
    }

    QString statements(std::set<QString> &functions) const {
        QString lines;
        for (const QString &line : statementsOf([this](int input) { return elementOf(input); },
                                                QStringLiteral("sum[k]"), functions))
            lines += wrapped(line, QString(16, QLatin1Char(' ')), QString(20, QLatin1Char(' ')));
        return lines;
    }
};

} // namespace

Sm90Epilogue sm90Epilogue(const Kernel &kernel, const KernelNames &names) {
    return isVectorAligned(kernel) ? VectorEpilogue(kernel, names).run() : sm90ScalarEpilogue(kernel, names);
}

} // namespace warpwright
