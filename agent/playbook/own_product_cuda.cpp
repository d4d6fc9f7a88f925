// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/own_product_cuda.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/group_product_text.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/own_product.h"
#include "agent/playbook/own_product_cuda_texts.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int rowBytes = 128;          ///< of a stage
constexpr int mostShared = 227 * 1024; ///< bytes of a block
constexpr int barrierBytes = 16;       ///< of a stage
constexpr int tileRows = 128;
constexpr int registersAhead = 64; ///< for what is read before the products

class OwnProduct {
public:
    OwnProduct(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
               const KernelNames &names)
        : m_graph(graph),
          m_plan(plan),
          m_kernel(kernel),
          m_names(names),
          m_type(kernel.leaves[0].type),
          m_element(cTypeName(m_type, true)),
          m_width(ownTileColumns(kernel)),
          m_rowLoop(hasBatches(kernel) ? 1 : 0),
          m_isPair(otherSumOf(kernel) >= 0) {
        for (std::size_t i = firstBeside(kernel); i < kernel.leaves.size(); ++i) {
            const auto beside = besideProduct(kernel, kernel.leaves[i]);
            const auto leaf = static_cast<int>(i);
            (beside == BesideProduct::LikeResult  ? m_matrices
             : beside == BesideProduct::OfColumns ? m_vectors
                                                  : m_rows)
                .push_back(leaf);
            if (std::find(m_beside.begin(), m_beside.end(), kernel.leaves[i].buffer) == m_beside.end())
                m_beside.push_back(kernel.leaves[i].buffer);
        }
    }

    QString run() {
        const KernelStore &store = m_kernel.stores[0];
        const QString statements = this->statements();
        const bool isHalf = m_type != ElementType::Float32;
        return filled(
            ownProductText,
            {{"instructions",
              copyEngineInstructions + copies() + groupProductInstructions + ownProductMultiply},
             {"batchCount",
              ofBatches(QStringLiteral("constexpr int kBatches = %1; // products of their own\n")
                            .arg(m_kernel.loops[0]))},
             {"batches", ofBatches(QStringLiteral("kBatches * "))},
             {"batch", ofBatches(QStringLiteral("batch, "))},
             {"batchParameter", ofBatches(QStringLiteral("int &batch, "))},
             {"batchOfTile", ofBatches(QStringLiteral("    batch = tile / (kTilesDown * kTilesAcross);\n"
                                                      "    tile -= batch * (kTilesDown * kTilesAcross);\n"))},
             {"batchKept", ofBatches(QStringLiteral(", \"+r\"(batch)"))},
             {"copyFirst", copyOf(0)},
             {"copySecond", copyOf(1)},
             {"firstBatch", batchOf(0)},
             {"secondBatch", batchOf(1)},
             {"mapDimensions", hasBatches(m_kernel) ? QStringLiteral("3") : QStringLiteral("2")},
             {"mapStrides", hasBatches(m_kernel) ? QStringLiteral("2") : QStringLiteral("1")},
             {"mapRank",
              hasBatches(m_kernel) ? QStringLiteral("batchPitch > 0 ? 3 : 2") : QStringLiteral("2")},
             {"mapBatch", ofBatches(QStringLiteral(", std::int64_t batchPitch"))},
             {"mapBatches", ofBatches(QStringLiteral(", kBatches"))},
             {"mapApart", ofBatches(QStringLiteral(", cuuint64_t(batchPitch) * sizeof(%1)").arg(m_element))},
             {"mapOne", ofBatches(QStringLiteral(", 1"))},
             {"head", opening()},
             {"begin", copyingGroupBegins},
             {"encoder", tensorMapEncoder},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : QString()},
             {"rows", number(m_rowLoop)},
             {"columns", number(m_rowLoop + 1)},
             {"inner", number(m_rowLoop + 2)},
             {"width", QString::number(m_width)},
             {"widthWords", m_isPair
                                ? QStringLiteral(" // of both products: the units take them for one\n"
                                                 "constexpr int kOwnColumns = kTileColumns / 2; // of each")
                                : QString()},
             {"own", own()},
             {"copyOther", copyOther()},
             {"secondBoxes", m_isPair ? QStringLiteral("kOwnColumns") : QStringLiteral("kTileColumns")},
             {"thirdMap",
              m_isPair ? QStringLiteral(", const __grid_constant__ CUtensorMap thirdMap") : QString()},
             {"pair", pair()},
             {"maps", m_isPair ? QStringLiteral("firstMap, secondMap, thirdMap")
                               : QStringLiteral("firstMap, secondMap")},
             {"describeThird",
              m_isPair
                  ? QStringLiteral(
                        " ||\n        !describeMatrix(thirdMap, %1, kInner, kColumns, %2, kOwnColumns%3)")
                        .arg(matrix(2))
                        .arg(m_kernel.leaves[2].address.steps[m_rowLoop + 1])
                        .arg(batchOf(2))
                  : QString()},
             {"depth", QString::number(rowBytes / bytesOf(m_type))},
             {"stages",
              QString::number((mostShared - heldBytes()) / ((tileRows + m_width) * rowBytes + barrierBytes))},
             {"heldBytes", m_vectors.empty() ? QString()
                                             : QStringLiteral(" + %1 * 2 * %2 * int(sizeof(%3))")
                                                   .arg(m_vectors.size())
                                                   .arg(own(), m_element)},
             {"heldWords", m_vectors.empty()
                               ? QString()
                               : QStringLiteral(", and what is one for a column, for each group")},
             {"ahead", ahead()},
             {"raw", raw()},
             {"functions", functionTexts(m_functions, TextDialect::Cuda)},
             {"meet", meet()},
             {"multiply", groupProductText({m_width, m_type})},
             {"function", m_names.function},
             {"parameters", parameters()},
             {"held", held()},
             {"gets", gets()},
             {"vectors", vectors()},
             {"reads", reads()},
             {"share", share()},
             {"packs", packs()},
             {"finish", finishedPack(statements, 16)},
             {"out", placeOf(store.buffer, store.address)},
             {"refill", refill()},
             {"type", m_element},
             {"mapWords", ofBatches(QStringLiteral(" `batchPitch` = 0: all batches\n// have the same.")) +
                              (isHalf ? QString()
                                      : QStringLiteral(" It rounds floats to what the matrix\n// units read; "
                                                       "left as they are, those would cut them off."))},
             {"mapType", m_type == ElementType::Float16 ? QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_FLOAT16")
                         : isHalf                       ? QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_BFLOAT16")
                                                        : QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_TFLOAT32")},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_plan, m_kernel, m_names) +
                                          QStringLiteral(", int, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"firstMatrix", matrix(0)},
             {"secondMatrix", matrix(1)},
             {"firstPitch", QString::number(m_kernel.leaves[0].address.steps[m_rowLoop])},
             {"secondPitch", QString::number(m_kernel.leaves[1].address.steps[m_rowLoop + 1])},
             {"arguments", arguments()}});
    }

private:
    [[nodiscard]] QString number(std::size_t loop) const { return QString::number(m_kernel.loops[loop]); }
    [[nodiscard]] const KernelLeaf &leafOf(int leaf) const {
        return m_kernel.leaves[static_cast<std::size_t>(leaf)];
    }
    [[nodiscard]] int heldBytes() const {
        return static_cast<int>(m_vectors.size()) * 2 * ownColumns() * static_cast<int>(bytesOf(m_type));
    }
    /// Columns of the result that a tile has.
    [[nodiscard]] int ownColumns() const { return m_isPair ? m_width / 2 : m_width; }
    [[nodiscard]] QString own() const {
        return m_isPair ? QStringLiteral("kOwnColumns") : QStringLiteral("kTileColumns");
    }
    /// Only where there are batches.
    [[nodiscard]] QString ofBatches(const QString &text) const {
        return hasBatches(m_kernel) ? text : QString();
    }
    [[nodiscard]] std::int64_t batchPitch(int leaf) const {
        return hasBatches(m_kernel) ? leafOf(leaf).address.steps[0] : 0;
    }
    [[nodiscard]] QString batchOf(int leaf) const {
        return ofBatches(QStringLiteral(", %1").arg(batchPitch(leaf)));
    }
    /// One of the boxes of a stage.
    [[nodiscard]] QString copyOf(int leaf) const {
        static const char *const places[] = {
            "firstBox + stage * kTileRows * 128, &firstMap, ",
            "secondBox + stage * kTileColumns * 128, &secondMap, ",
            "secondBox + (stage * kTileColumns + kOwnColumns) * 128, &thirdMap, "};
        const bool isOfBatch = batchPitch(leaf) != 0;
        return wrappedCall(
            QStringLiteral("                %1(")
                .arg(isOfBatch ? QStringLiteral("copyBatchBox") : QStringLiteral("copyBox")),
            QLatin1String(places[leaf]) +
                QStringLiteral("full + 8 * stage, step * kDepth, %1%2")
                    .arg(leaf == 0 ? QStringLiteral("firstRow") : QStringLiteral("firstColumn"),
                         isOfBatch ? QStringLiteral(", batch") : QString()),
            QStringLiteral(");"));
    }
    [[nodiscard]] QString copies() const {
        bool hasPlain = false;
        bool hasBatched = false;
        for (int leaf = 0; leaf < static_cast<int>(firstBeside(m_kernel)); ++leaf)
            (batchPitch(leaf) != 0 ? hasBatched : hasPlain) = true;
        return (hasPlain ? copyBoxInstruction : QString()) + (hasBatched ? copyBatchInstruction : QString());
    }
    [[nodiscard]] QString copyOther() const { return m_isPair ? copyOf(2) : QString(); }
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
    static QString joined(const QStringList &list) {
        return list.isEmpty() ? QString() : QStringLiteral(", ") + list.join(QLatin1String(", "));
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
    static QString readName(std::size_t i) { return QStringLiteral("read%1").arg(i + 1); }
    static QString heldName(std::size_t i) { return QStringLiteral("held%1").arg(i + 1); }
    static QString vectorName(std::size_t i) { return QStringLiteral("vector%1").arg(i + 1); }
    static QString oneName(std::size_t i) { return QStringLiteral("ofRow%1").arg(i + 1); }

    [[nodiscard]] QString opening() const {
        QString text = anchorHead(
            m_kernel, m_names,
            QStringLiteral(
                "A product of matrices, and what is made of it. A library's kernels are hard to beat at "
                "the first, but do not know the second: it would read and write all of the result again. "
                "For GPUs of compute capability 9.0:"));
        for (const QString &point :
             {QStringLiteral(
                  "The copy engine (TMA) brings boxes of both matrices into shared memory, crosswise so that "
                  "no banks collide, while the matrix units (wgmma) multiply those before."),
              QStringLiteral(
                  "Whoever copies needs few registers, and gives the others what it has too many."),
              QStringLiteral(
                  "What is read beside the product is asked for before the tile's products, and is there "
                  "when they are.")})
            text += wrapped(point, QStringLiteral("//   - "), QStringLiteral("//     "));
        return text;
    }

    [[nodiscard]] QString ahead() const {
        if (m_matrices.empty())
            return {};
        const int each = registersAhead * 4 / (4 * static_cast<int>(bytesOf(m_type)));
        const int count = std::min(each / static_cast<int>(m_matrices.size()), ownColumns() / 8);
        return QStringLiteral("constexpr int kAhead = %1; // pieces that are read before the products%2\n")
            .arg(count)
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

    [[nodiscard]] QString parameters() const {
        QStringList list;
        for (const int buffer : m_beside)
            list << QStringLiteral("const %1 *__restrict__ %2").arg(m_element, m_names.nameOf(buffer));
        list << QStringLiteral("%1 *__restrict__ %2")
                    .arg(m_element, m_names.nameOf(m_kernel.stores[0].buffer));
        return QStringLiteral(",\n        ") + list.join(QLatin1String(", "));
    }

    [[nodiscard]] QString arguments() const {
        QStringList list;
        for (const int buffer : m_beside)
            list << pointer(buffer, true);
        list << pointer(m_kernel.stores[0].buffer, false);
        return joined(list);
    }
    [[nodiscard]] QString pointer(int buffer, bool isRead) const {
        const QString name = m_names.nameOf(buffer);
        return m_type == ElementType::Float32
                   ? name
                   : QStringLiteral("static_cast<%1%2 *>(%3)")
                         .arg(isRead ? QStringLiteral("const ") : QString(), m_element, name);
    }
    [[nodiscard]] QString matrix(int leaf) const {
        const std::int64_t offset = leafOf(leaf).address.offset;
        return pointer(leafOf(leaf).buffer, true) +
               (offset == 0 ? QString() : QStringLiteral(" + %1").arg(offset));
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
        const QString indent(16, QLatin1Char(' '));
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text += indent +
                    QStringLiteral("const Pack %1Pack = unpacked(%1[piece % kAhead]);\n").arg(readName(i));
        for (std::size_t i = 0; i < m_vectors.size(); ++i)
            text += indent + QStringLiteral(
                                 "const Pack %1Pack = *reinterpret_cast<const Pack *>(%1 + inTile(piece));\n")
                                 .arg(heldName(i));
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            text += indent + QStringLiteral("const %1 %2 = *(%3);\n")
                                 .arg(m_element, oneName(i),
                                      placeOf(leafOf(m_rows[i]).buffer, leafOf(m_rows[i]).address));
        return text;
    }

    [[nodiscard]] QString elementOf(int leaf) const {
        const auto among = [leaf](const std::vector<int> &list) -> std::optional<std::size_t> {
            const auto found = std::find(list.begin(), list.end(), leaf);
            return found == list.end() ? std::nullopt
                                       : std::optional(static_cast<std::size_t>(found - list.begin()));
        };
        if (const auto i = among(m_matrices))
            return readName(*i) + QStringLiteral("Pack.at[k]");
        if (const auto i = among(m_vectors))
            return heldName(*i) + QStringLiteral("Pack.at[k]");
        const auto i = among(m_rows);
        return i ? oneName(*i) : QString();
    }

    QString statements() {
        QString lines;
        for (const QString &line : epilogueStatements(
                 m_kernel, [this](int leaf) { return elementOf(leaf); }, QStringLiteral("sum[k]"),
                 QStringLiteral("result.at[k]"), m_functions, TextDialect::Cuda))
            lines += wrapped(line, QString(20, QLatin1Char(' ')), QString(24, QLatin1Char(' ')));
        return lines;
    }

    [[nodiscard]] QString refill() const {
        if (m_matrices.empty())
            return {};
        QString text = QStringLiteral("            if (piece % 4 == 3) // what has been used makes room\n"
                                      "#pragma unroll\n"
                                      "                for (int i = piece - 3; i <= piece; ++i)\n"
                                      "                    if (i + kAhead < kPieces)%1\n")
                           .arg(m_matrices.size() > 1 ? QStringLiteral(" {") : QString());
        for (std::size_t i = 0; i < m_matrices.size(); ++i)
            text += QStringLiteral("                        %1[i % kAhead] = get%2(i + kAhead);\n")
                        .arg(readName(i))
                        .arg(i + 1);
        return text + (m_matrices.size() > 1 ? QStringLiteral("                    }\n") : QString());
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    ElementType m_type;
    QString m_element;
    int m_width;                 ///< of what the units multiply by at once
    std::size_t m_rowLoop;       ///< behind that of batches
    bool m_isPair;               ///< two products of one matrix: half of the width is each one's
    std::vector<int> m_matrices; ///< leaves beside the product, by how they are read
    std::vector<int> m_vectors;
    std::vector<int> m_rows;
    std::vector<int> m_beside; ///< their buffers
    std::set<QString> m_functions;
};

} // namespace

QString ownProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                           const KernelNames &names) {
    return OwnProduct(graph, plan, kernel, names).run();
}

} // namespace warpwright
