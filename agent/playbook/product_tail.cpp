// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/product_tail.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/far_angles.h"
#include "agent/playbook/group_product_text.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/own_product.h"
#include "agent/playbook/own_product_cuda_texts.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int registersAhead = 64; ///< for what is read before the products
constexpr int pitch = 40; ///< floats of a row in shared memory: neighbouring rows' banks do not collide
constexpr int warpRows = 16;
constexpr int warps = 8; ///< that multiply

const QString prefetchInstruction =
    QStringLiteral("__device__ __forceinline__ void prefetch(const void *place) {\n"
                   "    asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(place));\n}\n\n");

/// What both kinds know.
class Tail {
public:
    Tail(const FusedKernel &kernel, const KernelNames &names)
        : m_kernel(kernel),
          m_names(names),
          m_type(kernel.leaves[0].type),
          m_element(cTypeName(m_type, true)),
          m_isPair(otherSumOf(kernel) >= 0) {
        for (std::size_t i = firstBeside(kernel); i < kernel.leaves.size(); ++i) {
            const auto beside = besideProduct(kernel, kernel.leaves[i]);
            (beside == BesideProduct::LikeResult  ? m_matrices
             : beside == BesideProduct::OfColumns ? m_vectors
                                                  : m_rows)
                .push_back(static_cast<int>(i));
        }
    }

protected:
    [[nodiscard]] const KernelLeaf &leafOf(int leaf) const {
        return m_kernel.leaves[static_cast<std::size_t>(leaf)];
    }
    /// Columns of the result that a tile has.
    [[nodiscard]] int ownColumns() const { return ownTileColumns(m_kernel) / (m_isPair ? 2 : 1); }
    [[nodiscard]] QString own() const {
        return m_isPair ? QStringLiteral("kOwnColumns") : QStringLiteral("kTileColumns");
    }
    /// "x + row * 512 + column"
    [[nodiscard]] QString placeOf(int buffer, const AffineIndex &address) const {
        return QStringLiteral("%1 + %2").arg(
            m_names.nameOf(buffer),
            indexText(address,
                      hasBatches(m_kernel)
                          ? QStringList{QStringLiteral("batch"), QStringLiteral("row"),
                                        QStringLiteral("column"), QString()}
                          : QStringList{QStringLiteral("row"), QStringLiteral("column"), QString()}));
    }
    [[nodiscard]] QString placeOf(int leaf) const {
        return placeOf(leafOf(leaf).buffer, leafOf(leaf).address);
    }
    [[nodiscard]] static std::optional<std::size_t> among(const std::vector<int> &list, int leaf) {
        const auto found = std::find(list.begin(), list.end(), leaf);
        return found == list.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - list.begin()));
    }
    static QString readName(std::size_t i) { return QStringLiteral("read%1").arg(i + 1); }
    static QString heldName(std::size_t i) { return QStringLiteral("held%1").arg(i + 1); }
    static QString vectorName(std::size_t i) { return QStringLiteral("vector%1").arg(i + 1); }
    static QString oneName(std::size_t i) { return QStringLiteral("ofRow%1").arg(i + 1); }

    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    ElementType m_type;
    QString m_element;
    bool m_isPair;               ///< two products of one matrix: half of the width is each one's
    std::vector<int> m_matrices; ///< leaves beside the product, by how they are read
    std::vector<int> m_vectors;
    std::vector<int> m_rows;
};

/// A thread finishes four neighbours at once.
class PackTail : Tail {
public:
    using Tail::Tail;

    ProductTail run() {
        ProductTail tail;
        const QString lines = statements(tail.functions);
        const QString loop = loopOverPack(lines, 12);
        const auto ofTail = [&](const QString &text, const QString &finish = QString()) {
            return filled(text,
                          {{"at", at()},
                           {"gets", gets()},
                           {"vectors", vectors()},
                           {"ofRows", ofRows()},
                           {"reads", reads()},
                           {"pair", pair()},
                           {"packs", packs()},
                           {"finish", finish},
                           {"out", Tail::placeOf(m_kernel.stores[0].buffer, m_kernel.stores[0].address)},
                           {"refill", refill()}});
        };
        if (!m_vectors.empty()) {
            tail.sharedBytes =
                static_cast<int>(m_vectors.size()) * 2 * ownColumns() * static_cast<int>(bytesOf(m_type));
            tail.sharedTerm = QStringLiteral(" + %1 * 2 * %2 * int(sizeof(%3))")
                                  .arg(m_vectors.size())
                                  .arg(own(), m_element);
            tail.sharedWords = QStringLiteral(", and what is one for a column, for each group");
        }
        tail.constants =
            QStringLiteral("constexpr int kPieces = %1 / 8; // of four neighbours, that a thread finishes\n")
                .arg(own()) +
            (rounds() > 1 ? QStringLiteral("constexpr int kOfRound = kPieces / %1; // more at once are more "
                                           "instructions than their cache holds\n")
                                .arg(rounds())
                          : QString()) +
            ahead();
        tail.types = QStringLiteral("// Four neighbours, which one instruction loads or stores.\n"
                                    "struct alignas(4 * sizeof(%1)) Pack {\n    %1 at[4];\n};\n\n")
                         .arg(m_element) +
                     raw();
        tail.instructions = makeAnywayText(m_type) + meet();
        tail.held =
            QStringLiteral("    const int mine = threadIdx.x % 128;\n    const int odd = lane % 2;\n") +
            held();
        tail.before = ofTail(packsBefore);
        tail.after =
            filled(packsAfter,
                   {{"share", share()},
                    {"pieces",
                     asksOnce() ? pieces(ofTail(packsPiece, withNearAngles(loop)), ofTail(packsPiece, loop))
                                : pieces(ofTail(packsPiece, finishedPack(lines, 12)), QString())}});
        return tail;
    }

private:
    /// The second product's sums of a piece, as the first one's.
    [[nodiscard]] QString pair() const {
        return m_isPair ? QStringLiteral("            own += kTileColumns / 4;\n"
                                         "            const float otherGiven = __shfl_xor_sync(0xFFFFFFFF, "
                                         "odd ? own[0] : own[4], 1);\n"
                                         "            const float otherNext = __shfl_xor_sync(0xFFFFFFFF, "
                                         "odd ? own[1] : own[5], 1);\n"
                                         "            const float other[4] = {odd ? otherGiven : own[0], odd "
                                         "? otherNext : own[1],\n"
                                         "                                    odd ? own[4] : otherGiven, odd "
                                         "? own[5] : otherNext};\n")
                        : QString();
    }

    /// Angles beyond the short functions' make a sum's instructions seventy: a thread's are more than their
    /// cache holds. A sine of 60000 x 512 x 512 on an H100: 145 us at once, in two rounds 135, in four 129.
    /// Where a round asks once, halves (122 us in four, 115 in two) and pairs (245 and 240) are better in
    /// two.
    [[nodiscard]] int rounds() const {
        const bool isLong = std::any_of(
            m_kernel.steps.begin() + m_kernel.resultStep(), m_kernel.steps.end(),
            [](const KernelStep &step) { return step.op == KernelOp::Sine || step.op == KernelOp::Cosine; });
        const int fours = ownColumns() / 8 / 4; // pieces by fours, which are asked for together
        const bool areFew = m_matrices.empty() && (m_isPair || bytesOf(m_type) == 2);
        return !isLong ? 1 : fours % 4 == 0 && !areFew ? 4 : fours % 2 == 0 ? 2 : 1;
    }
    /// Whether a round asks once, at its end, whether an angle was far: a branch for each piece would keep
    /// the compiler from computing several at once. What is read beside a piece is gone by then.
    [[nodiscard]] bool asksOnce() const { return rounds() > 1 && m_matrices.empty(); }
    /// Pieces that are read before the products: those of a round are whole times as many.
    [[nodiscard]] int aheadCount() const {
        const int each = registersAhead * 4 / (4 * static_cast<int>(bytesOf(m_type)));
        const int ofRound = ownColumns() / 8 / rounds();
        int count = std::min(each / static_cast<int>(m_matrices.size()), ofRound);
        while (rounds() > 1 && ofRound % count != 0)
            --count;
        return count;
    }
    /// A piece's number where registers are told apart by it.
    [[nodiscard]] QString at() const {
        return rounds() > 1 ? QStringLiteral("inRound") : QStringLiteral("piece");
    }
    [[nodiscard]] QString pieces(const QString &piece, const QString &again) const {
        return rounds() == 1 ? filled(packsLoop, {{"piece", piece}})
                             : packsInRounds(piece, again, rounds(), m_isPair);
    }

    [[nodiscard]] QString ahead() const {
        if (m_matrices.empty())
            return {};
        return QStringLiteral("constexpr int kAhead = %1; // pieces that are read before the products%2\n")
            .arg(aheadCount())
            .arg(m_matrices.size() > 1 ? QStringLiteral(", of each matrix") : QString());
    }

    [[nodiscard]] QString raw() const {
        if (m_matrices.empty())
            return {};
        return QStringLiteral("using Raw = %1; // a pack on its way\n\n"
                              "__device__ __forceinline__ Pack unpacked(Raw raw) {\n"
                              "    Pack pack;\n"
                              "    std::memcpy(&pack, &raw, sizeof pack);\n"
                              "    return pack;\n"
                              "}\n\n")
            .arg(m_type == ElementType::Float32 ? QStringLiteral("float4") : QStringLiteral("uint2"));
    }

    [[nodiscard]] QString meet() const {
        return m_vectors.empty()
                   ? QString()
                   : QStringLiteral("__device__ __forceinline__ void meetInGroup(int group) {\n"
                                    "    asm volatile(\"bar.sync %0, 128;\" ::\"r\"(group + 1) : "
                                    "\"memory\");\n"
                                    "}\n\n");
    }

    [[nodiscard]] QString held() const {
        QString text;
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += QStringLiteral(
                        "    %1 *const %2 = reinterpret_cast<%1 *>(shared + kStages * (kStageBytes + 16)) "
                        "+ (%3 + group) * %4;\n")
                        .arg(m_element, heldName(i))
                        .arg(2 * i)
                        .arg(own());
        return text;
    }

    [[nodiscard]] QString gets() const {
        QString text;
        for (std::size_t i = 0; i < m_matrices.size(); ++i) {
            const KernelLeaf &leaf = leafOf(m_matrices[i]);
            text += QStringLiteral(
                        "        const auto get%1 = [&](int piece) {%2\n"
                        "            const int row = min(rowOf(piece), kRows - 1);\n"
                        "            const int column = min(firstColumn + inTile(piece), kColumns - 4);\n"
                        "            return *reinterpret_cast<const Raw *>(%3);\n"
                        "        };\n")
                        .arg(i + 1)
                        .arg(i == 0 ? QStringLiteral(" // beyond the end the last elements are read instead")
                                    : QString(),
                             placeOf(leaf.buffer, leaf.address));
        }
        return text;
    }

    [[nodiscard]] QString vectors() const {
        QString text;
        for (std::size_t i = 0; i < m_vectors.size(); ++i) {
            const KernelLeaf &leaf = leafOf(m_vectors[i]);
            text += QStringLiteral(
                        "        %1 %2[(%4 + 127) / 128];\n"
                        "#pragma unroll\n"
                        "        for (int i = 0; i < (%4 + 127) / 128; ++i) {\n"
                        "            const int column = min(firstColumn + mine + 128 * i, kColumns - 1);\n"
                        "            %2[i] = *(%3);\n"
                        "        }\n")
                        .arg(m_element, vectorName(i), placeOf(leaf.buffer, leaf.address), own());
        }
        return text;
    }

    [[nodiscard]] QString ofRows() const { // of which a thread has two
        QString text;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const KernelLeaf &leaf = leafOf(m_rows[i]);
            text += QStringLiteral("        %1 %2[2];\n"
                                   "#pragma unroll\n"
                                   "        for (int piece = 0; piece < 2; ++piece) {\n"
                                   "            const int row = min(rowOf(piece), kRows - 1);\n"
                                   "            %2[piece] = *(%3);\n"
                                   "        }\n")
                        .arg(m_element, oneName(i), placeOf(leaf.buffer, leaf.address));
        }
        return text;
    }

    [[nodiscard]] QString reads() const {
        QString text;
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text += QStringLiteral("        Raw %1[kAhead];\n"
                                   "#pragma unroll\n"
                                   "        for (int piece = 0; piece < kAhead; ++piece)\n"
                                   "            %1[piece] = get%2(piece);\n")
                        .arg(readName(i))
                        .arg(i + 1);
        return text;
    }

    [[nodiscard]] QString share() const {
        if (m_vectors.empty())
            return {};
        QString text = QStringLiteral("        meetInGroup(group); // the last tile's have been read\n"
                                      "#pragma unroll\n"
                                      "        for (int i = 0; i < (%2 + 127) / 128; ++i)\n"
                                      "            if (mine + 128 * i < %2)%1\n")
                           .arg(m_vectors.size() > 1 ? QStringLiteral(" {") : QString(), own());
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += QStringLiteral("                %1[mine + 128 * i] = %2[i];\n")
                        .arg(heldName(i), vectorName(i));
        return text + (m_vectors.size() > 1 ? QStringLiteral("            }\n") : QString()) +
               QStringLiteral("        meetInGroup(group);\n");
    }

    [[nodiscard]] QString packs() const {
        QString text;
        const QString indent(12, QLatin1Char(' '));
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text += indent +
                    QStringLiteral("const Pack %1Pack = unpacked(%1[%2 % kAhead]);\n").arg(readName(i), at());
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += indent + QStringLiteral(
                                 "const Pack %1Pack = *reinterpret_cast<const Pack *>(%1 + inTile(piece));\n")
                                 .arg(heldName(i));
        return text;
    }

    [[nodiscard]] QString elementOf(int leaf) const {
        if (const auto i = among(m_matrices, leaf))
            return readName(*i) + QStringLiteral("Pack.at[k]");
        if (const auto i = among(m_vectors, leaf))
            return heldName(*i) + QStringLiteral("Pack.at[k]");
        const auto i = among(m_rows, leaf);
        return i ? oneName(*i) + QStringLiteral("[%1 % 2]").arg(at()) : QString();
    }

    [[nodiscard]] QString refill() const {
        if (m_matrices.empty())
            return {};
        const QString first = rounds() > 1 ? QStringLiteral("first + ") : QString();
        QString text = QStringLiteral("            if (%2 % 4 == 3) // what has been used makes room\n"
                                      "#pragma unroll\n"
                                      "                for (int i = %2 - 3; i <= %2; ++i)\n"
                                      "                    if (%3i + kAhead < kPieces)%1\n")
                           .arg(m_matrices.size() > 1 ? QStringLiteral(" {") : QString(), at(), first);
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text += QStringLiteral("                        %1[i % kAhead] = get%2(%3i + kAhead);\n")
                        .arg(readName(i))
                        .arg(i + 1)
                        .arg(first);
        return text + (m_matrices.size() > 1 ? QStringLiteral("                    }\n") : QString());
    }

    QString statements(std::set<QString> &functions) const {
        QString lines;
        for (const QString &line : epilogueStatements(
                 m_kernel, [this](int leaf) { return elementOf(leaf); }, QStringLiteral("sum[k]"),
                 QStringLiteral("result.at[k]"), functions, TextDialect::Cuda))
            lines += wrapped(line, QString(16, QLatin1Char(' ')), QString(20, QLatin1Char(' ')));
        return lines;
    }
};

/// Rows that begin within a sector: a warp turns its sums in shared memory, so that its threads have
/// neighbours of one row, four each where no row begins within a pack.
class ElementTail : Tail {
public:
    using Tail::Tail;

    ProductTail run() {
        ProductTail tail;
        const QString lines = statements(tail.functions);
        tail.sharedBytes = warps * warpRows * pitch * static_cast<int>(sizeof(float));
        tail.sharedTerm = QStringLiteral(" + %1 * kTurned * int(sizeof(float))").arg(warps);
        tail.sharedWords = QStringLiteral(", and what warps turn");
        const int wide = wideOf(m_kernel);
        const int atOnce = std::min(m_matrices.size() > 1 ? warpRows / 2 : warpRows, warpRows / wide);
        tail.types =
            QStringLiteral("// Neighbours, and their sums, which one instruction loads or stores.\n"
                           "struct alignas(kWide * sizeof(%1)) Pack {\n    %1 at[kWide];\n};\n"
                           "struct alignas(kWide * sizeof(float)) Sums {\n    float at[kWide];\n};\n\n")
                .arg(m_element);
        tail.constants =
            QStringLiteral("constexpr int kWide = %4; // neighbours that a thread finishes\n"
                           "constexpr int kAcross = 32 / kWide; // threads side by side in a row\n"
                           "constexpr int kPitch = %1; // of 32 columns that a warp turns: no banks collide\n"
                           "constexpr int kTurned = %2 * kPitch; // of a warp's rows\n"
                           "constexpr int kAtOnce = %3; // rows whose loads do not wait for each other\n")
                .arg(pitch)
                .arg(warpRows)
                .arg(atOnce)
                .arg(wide);
        tail.held = QStringLiteral(
            "    float *const turned = reinterpret_cast<float *>(shared + kStages * (kStageBytes + 16)) +\n"
            "                          (threadIdx.x / 32 - 4) * kTurned;\n");
        tail.after = filled(elementsAfter,
                            {{"own", own()},
                             {"turnOther", turnOther()},
                             {"ofColumns", ofColumns()},
                             {"reads", reads()},
                             {"sum", sum()},
                             {"finish", finishedPack(lines, 20, QStringLiteral("kWide"))},
                             {"out", Tail::placeOf(m_kernel.stores[0].buffer, m_kernel.stores[0].address)}});
        tail.before = prefetches();
        if (!tail.before.isEmpty())
            tail.instructions = prefetchInstruction;
        return tail;
    }

private:
    /// The second product's sums take the first one's place, which a thread has read then.
    [[nodiscard]] QString turnOther() const {
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
                        .arg(vectorName(i), Tail::placeOf(m_vectors[i]));
        return text;
    }
    /// What lies like the result comes to the second-level cache while the tile is multiplied.
    [[nodiscard]] QString prefetches() const {
        QString lines;
        for (const int leaf : m_matrices)
            lines += QStringLiteral("            prefetch(%1);\n").arg(Tail::placeOf(leaf));
        const int line = 128 / static_cast<int>(bytesOf(m_type));
        return lines.isEmpty()
                   ? QString()
                   : QStringLiteral(
                         "#pragma unroll // what is read beside the products, by lines of 128 bytes\n"
                         "        for (int i = threadIdx.x % 128; i < 64 * (%1 / %2); i += 128) {\n"
                         "            const int row = min(firstRow + 64 * group + i / (%1 / %2), kRows - "
                         "1);\n"
                         "            const int column = min(firstColumn + i % (%1 / %2) * %2, kColumns - "
                         "1);\n")
                             .arg(own())
                             .arg(line) +
                         lines + QStringLiteral("        }\n");
    }
    [[nodiscard]] QString reads() const {
        QString arrays, lines;
        for (std::size_t i = 0; i < m_matrices.size(); ++i) {
            arrays += QStringLiteral("                Pack %1[kAtOnce];\n").arg(readName(i));
            lines += QStringLiteral("                    %1[i] = *reinterpret_cast<const Pack *>(%2);\n")
                         .arg(readName(i), Tail::placeOf(m_matrices[i]));
        }
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            arrays += QStringLiteral("                %1 %2[kAtOnce];\n").arg(m_element, oneName(i));
            lines += QStringLiteral("                    %1[i] = *(%2);\n")
                         .arg(oneName(i), Tail::placeOf(m_rows[i]));
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
        const auto elementOf = [this](int leaf) {
            if (const auto i = among(m_matrices, leaf))
                return readName(*i) + QStringLiteral("[i].at[k]");
            if (const auto i = among(m_vectors, leaf))
                return vectorName(*i) + QStringLiteral(".at[k]");
            const auto i = among(m_rows, leaf);
            return i ? oneName(*i) + QStringLiteral("[i]") : QString();
        };
        QString lines;
        for (const QString &line :
             epilogueStatements(m_kernel, elementOf, QStringLiteral("sum.at[k]"),
                                QStringLiteral("result.at[k]"), functions, TextDialect::Cuda))
            lines += wrapped(line, QString(24, QLatin1Char(' ')), QString(28, QLatin1Char(' ')));
        return lines;
    }
};

} // namespace

ProductTail productTail(const FusedKernel &kernel, const KernelNames &names) {
    return isInPacks(kernel) ? PackTail(kernel, names).run() : ElementTail(kernel, names).run();
}

} // namespace warpwright
