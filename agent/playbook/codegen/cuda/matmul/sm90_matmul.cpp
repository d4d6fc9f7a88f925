// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/sm90_matmul.h"

#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue.h"
#include "agent/playbook/codegen/cuda/matmul/sm90_mainloop.h"
#include "agent/playbook/codegen/cuda/matmul/templates/sm90_matmul.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int rowBytes = 128;    ///< per row of a stage
constexpr int barrierBytes = 16; ///< per stage
constexpr int tileRows = 128;

class Sm90Matmul : private KernelWriter {
public:
    explicit Sm90Matmul(const KernelSource &source)
        : KernelWriter(source),
          m_type(source.kernel.inputs[0].type),
          m_element(cTypeName(m_type, true)),
          m_width(sm90TileColumns(source.kernel)),
          m_matrices(mainloopOperands(source.kernel)),
          m_rowLoop(hasBatches(source.kernel) ? 1 : 0),
          m_isPair(secondSumOf(source.kernel) >= 0) {
        for (std::size_t i = firstEpilogueInput(source.kernel); i < source.kernel.inputs.size(); ++i)
            if (std::find(m_epilogueOperands.begin(), m_epilogueOperands.end(),
                          source.kernel.inputs[i].buffer) == m_epilogueOperands.end())
                m_epilogueOperands.push_back(source.kernel.inputs[i].buffer);
    }

    QString run() {
        const Sm90Mainloop loops = sm90Mainloop(
            m_kernel, m_width, [this](int input, std::size_t sum) { return copyOf(input, sum); });
        const Sm90Epilogue epilogue = sm90Epilogue(m_kernel, m_names);
        const bool isHalf = m_type != ElementType::Float32;
        return fillTemplate(
            sm90MatmulText,
            {{"instructions", mbarrierInstructions + mbarrierArriveInstruction + copies() +
                                  wgmmaInstructions +
                                  (isMnMajorInput(1) ? mnMajorDescriptorText : QString()) +
                                  epilogue.instructions + loops.instructions},
             {"batchCount", ofBatches(QStringLiteral("constexpr int kBatches = %1; // separate matmuls\n")
                                          .arg(m_kernel.loops[0]))},
             {"batches", ofBatches(QStringLiteral("kBatches * "))},
             {"batch", ofBatches(QStringLiteral("batch, "))},
             {"batchParameter", ofBatches(QStringLiteral("int &batch, "))},
             {"batchOfTile", ofBatches(QStringLiteral("    batch = tile / (kTilesM * kTilesN);\n"
                                                      "    tile -= batch * (kTilesM * kTilesN);\n"))},
             {"batchKept", ofBatches(QStringLiteral(", \"+r\"(batch)"))},
             {"copyLoops", loops.copies},
             {"multiplyLoops", loops.consumer},
             {"lastFactors", loops.last},
             {"mapDimensions", hasBatches(m_kernel) ? QStringLiteral("3") : QStringLiteral("2")},
             {"mapStrides", hasBatches(m_kernel) ? QStringLiteral("2") : QStringLiteral("1")},
             {"mapRank",
              hasBatches(m_kernel) ? QStringLiteral("batchPitch > 0 ? 3 : 2") : QStringLiteral("2")},
             {"mapBatch", ofBatches(QStringLiteral(", std::int64_t batchPitch"))},
             {"mapBatches", ofBatches(QStringLiteral(", kBatches"))},
             {"mapApart", ofBatches(QStringLiteral(", cuuint64_t(batchPitch) * sizeof(%1)").arg(m_element))},
             {"mapOne", ofBatches(QStringLiteral(", 1"))},
             {"head", opening()},
             {"begin", producerWarpgroupText},
             {"encoder", tensorMapEncoder},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : QString()},
             {"rows", number(m_rowLoop)},
             {"columns", number(m_rowLoop + 1)},
             {"inner", loops.inner},
             {"steps", loops.steps},
             {"width", QString::number(m_width)},
             {"widthWords", m_isPair ? QStringLiteral(" // of both matmuls: one wgmma computes both\n"
                                                      "constexpr int kHalfTileN = kTileN / 2; // of each")
                                     : QString()},
             {"tileN", columnsConstant()},
             {"mapParameters", ofMaps(QStringLiteral("const __grid_constant__ CUtensorMap %1"))},
             {"maps", ofMaps(QStringLiteral("%1"))},
             {"describe", describe()},
             {"depth", QString::number(rowBytes / bytesOf(m_type))},
             {"stages", QString::number((deviceOf(m_kernel).sharedBytesOfBlock - epilogue.sharedBytes) /
                                        ((tileRows + m_width) * rowBytes + barrierBytes))},
             {"epilogueBytes", epilogue.sharedTerm},
             {"epilogueWords", epilogue.sharedPurpose},
             {"constants", epilogue.constants},
             {"types", epilogue.types},
             {"functions", helperFunctions(epilogue.functions, CodeDialect::Cuda)},
             {"function", m_names.function},
             {"parameters", parameters()},
             {"held", epilogue.held},
             {"before", epilogue.before},
             {"after", epilogue.after},
             {"type", m_element},
             {"mapWords", ofBatches(QStringLiteral(" `batchPitch` = 0: all batches\n// have the same.")) +
                              (isHalf ? QString()
                                      : QStringLiteral(" It rounds floats to TF32;\n// the tensor cores "
                                                       "would truncate them."))},
             {"mapType", m_type == ElementType::Float16 ? QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_FLOAT16")
                         : isHalf                       ? QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_BFLOAT16")
                                                        : QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_TFLOAT32")},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_program, m_names) +
                                          QStringLiteral(", int, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"arguments", arguments()}});
    }

private:
    [[nodiscard]] QString number(std::size_t loop) const { return QString::number(m_kernel.loops[loop]); }
    [[nodiscard]] const KernelInput &inputOf(int input) const {
        return m_kernel.inputs[static_cast<std::size_t>(input)];
    }
    [[nodiscard]] QString columnsConstant() const {
        return m_isPair ? QStringLiteral("kHalfTileN") : QStringLiteral("kTileN");
    }
    /// `text`, or nothing where there are no batches.
    [[nodiscard]] QString ofBatches(const QString &text) const {
        return hasBatches(m_kernel) ? text : QString();
    }
    [[nodiscard]] std::int64_t batchPitch(int input) const {
        return hasBatches(m_kernel) ? inputOf(input).address.steps[0] : 0;
    }
    [[nodiscard]] QString batchOf(int input) const {
        return ofBatches(QStringLiteral(", %1").arg(batchPitch(input)));
    }
    [[nodiscard]] bool isMnMajorInput(int input) const {
        return isMnMajor(m_kernel, inputOf(input), m_rowLoop + (isFirst(input) ? 0 : 1));
    }
    /// The arguments of makeTensorMap(): pointer, extents, pitch, box rows.
    [[nodiscard]] QString mapOf(int input) const {
        const std::vector<std::int64_t> &steps = inputOf(input).address.steps;
        const QString rows = isFirst(input) ? QStringLiteral("kRows") : QStringLiteral("kColumns");
        const QString inner = m_matrices.innerOf.at(input);
        if (isMnMajorInput(input))
            return QStringLiteral("%1, %2, %5, %3, kTileK%4")
                .arg(matrix(input), rows)
                .arg(steps[m_rowLoop + 2])
                .arg(batchOf(input), inner);
        return QStringLiteral("%1, %6, %2, %3, %4%5")
            .arg(matrix(input), rows)
            .arg(steps[m_rowLoop + (isFirst(input) ? 0 : 1)])
            .arg(isFirst(input) ? QStringLiteral("kTileM")
                 : m_isPair     ? QStringLiteral("kHalfTileN")
                                : QStringLiteral("kTileN"),
                 batchOf(input), inner);
    }
    [[nodiscard]] QString describe() const {
        QStringList all;
        for (const auto &[input, inner] : m_matrices.innerOf)
            all << QStringLiteral("!makeTensorMap(%1, %2)").arg(mapName(input), mapOf(input));
        return all.join(QLatin1String(" ||\n        "));
    }
    [[nodiscard]] QString ofMaps(const QString &text) const {
        QStringList all;
        for (const auto &[input, inner] : m_matrices.innerOf)
            all << text.arg(mapName(input));
        return all.join(QLatin1String(", "));
    }
    /// "mapA", "mapB"; further operands are numbered: "mapB2".
    [[nodiscard]] QString mapName(int input) const {
        const auto isAlike = [&](const auto &operand) {
            return operand.first <= input && isFirst(operand.first) == isFirst(input);
        };
        const auto number = std::count_if(m_matrices.innerOf.begin(), m_matrices.innerOf.end(), isAlike);
        return (isFirst(input) ? QStringLiteral("mapA") : QStringLiteral("mapB")) +
               (number > 1 ? QString::number(number) : QString());
    }
    /// Whether an input is an A operand.
    [[nodiscard]] bool isFirst(int input) const { return m_matrices.firsts.contains(input); }
    /// The boxes of an MN-major matrix: 64 rows or columns each.
    [[nodiscard]] QString mnMajorCopyOf(int input) const {
        const bool isOfBatch = batchPitch(input) != 0;
        return QStringLiteral("                for (int box = 0; box < %1 / 64; ++box)\n")
                   .arg(isFirst(input) ? QStringLiteral("kTileM") : QStringLiteral("kTileN")) +
               wrappedCall(QStringLiteral("                    %1(")
                               .arg(isOfBatch ? QStringLiteral("tmaLoad3d") : QStringLiteral("tmaLoad2d")),
                           (isFirst(input) ? QStringLiteral("smemA + (stage * kTileM + box * 64) * 128, "
                                                            "&%1, fullBarrier + 8 * stage, firstRow")
                                           : QStringLiteral("smemB + (stage * kTileN + box * 64) * 128, "
                                                            "&%1, fullBarrier + 8 * stage, firstColumn"))
                                   .arg(mapName(input)) +
                               QStringLiteral(" + box * 64, kTile * kTileK%1")
                                   .arg(isOfBatch ? QStringLiteral(", batch") : QString()),
                           QStringLiteral(");"));
    }
    /// One of the boxes of a stage; a B operand's goes to the part that belongs to `sum`.
    [[nodiscard]] QString copyOf(int input, std::size_t sum) const {
        if (isMnMajorInput(input))
            return mnMajorCopyOf(input);
        const QString position = isFirst(input) ? QStringLiteral("smemA + stage * kTileM * 128, &%1, ")
                                 : sum == 0
                                     ? QStringLiteral("smemB + stage * kTileN * 128, &%1, ")
                                     : QStringLiteral("smemB + (stage * kTileN + kHalfTileN) * 128, &%1, ");
        const bool isOfBatch = batchPitch(input) != 0;
        return wrappedCall(
            QStringLiteral("                %1(")
                .arg(isOfBatch ? QStringLiteral("tmaLoad3d") : QStringLiteral("tmaLoad2d")),
            position.arg(mapName(input)) +
                QStringLiteral("fullBarrier + 8 * stage, kTile * kTileK, %1%2")
                    .arg(isFirst(input) ? QStringLiteral("firstRow") : QStringLiteral("firstColumn"),
                         isOfBatch ? QStringLiteral(", batch") : QString()),
            QStringLiteral(");"));
    }
    [[nodiscard]] QString copies() const {
        bool hasPlain = false;
        bool hasBatched = false;
        for (int input = 0; input < static_cast<int>(firstEpilogueInput(m_kernel)); ++input)
            (batchPitch(input) != 0 ? hasBatched : hasPlain) = true;
        return (hasPlain ? tmaLoad2dInstruction : QString()) +
               (hasBatched ? tmaLoad3dInstruction : QString());
    }
    static QString joined(const QStringList &list) {
        return list.isEmpty() ? QString() : QStringLiteral(", ") + list.join(QLatin1String(", "));
    }

    [[nodiscard]] QString opening() const {
        QString text = kernelHeadComment(
            m_kernel, m_names,
            QStringLiteral(
                "A GEMM with a fused epilogue. A library's GEMM is hard to beat, but its epilogue cannot "
                "do this one: all of the result would be read and written once more. For GPUs of compute "
                "capability 9.0:"));
        for (const QString &point :
             {QStringLiteral(
                  "The copy engine (TMA) loads boxes of both matrices into shared memory, swizzled to avoid "
                  "bank conflicts, while the tensor cores (wgmma) multiply the previous ones."),
              QStringLiteral(
                  "The warpgroup that copies needs few registers, and gives its spare ones to the others."),
              isVectorAligned(m_kernel)
                  ? QStringLiteral("Operands of the epilogue are loaded before the tile's main loop, and "
                                   "have arrived when it ends.")
                  : QStringLiteral("Rows of the result are unaligned: sums are transposed through shared "
                                   "memory, so that a warp's threads store adjacent elements of one row."),
              hasTerms(m_kernel)
                  ? QStringLiteral("SumVec accumulate from one pair of matrices to the next: no "
                                   "single matmul's result is written to memory.")
                  : QString()})
            text += point.isEmpty() ? QString()
                                    : wrapped(point, QStringLiteral("//   - "), QStringLiteral("//     "));
        return text;
    }

    /// Buffers that are stored; two results may be slices of one.
    [[nodiscard]] std::vector<int> written() const {
        std::vector<int> buffers;
        for (const KernelStore &store : m_kernel.stores)
            if (std::find(buffers.begin(), buffers.end(), store.buffer) == buffers.end())
                buffers.push_back(store.buffer);
        return buffers;
    }

    [[nodiscard]] QString parameters() const {
        QStringList list;
        for (const int buffer : m_epilogueOperands)
            list << QStringLiteral("const %1 *__restrict__ %2").arg(m_element, m_names.nameOf(buffer));
        for (const int buffer : written())
            list << QStringLiteral("%1 *__restrict__ %2").arg(m_element, m_names.nameOf(buffer));
        return QStringLiteral(",\n        ") + list.join(QLatin1String(", "));
    }

    [[nodiscard]] QString arguments() const {
        QStringList list;
        for (const int buffer : m_epilogueOperands)
            list << pointer(buffer, true);
        for (const int buffer : written())
            list << pointer(buffer, false);
        return joined(list);
    }
    [[nodiscard]] QString pointer(int buffer, bool isRead) const {
        const QString name = m_names.nameOf(buffer);
        return m_type == ElementType::Float32
                   ? name
                   : QStringLiteral("static_cast<%1%2 *>(%3)")
                         .arg(isRead ? QStringLiteral("const ") : QString(), m_element, name);
    }
    [[nodiscard]] QString matrix(int input) const {
        const std::int64_t offset = inputOf(input).address.offset;
        return pointer(inputOf(input).buffer, true) +
               (offset == 0 ? QString() : QStringLiteral(" + %1").arg(offset));
    }

    ElementType m_type;
    QString m_element;
    int m_width; ///< columns of a tile
    MainloopOperands m_matrices;
    std::size_t m_rowLoop;               ///< after that of batches
    bool m_isPair;                       ///< two GEMMs with one first matrix: each has half of the width
    std::vector<int> m_epilogueOperands; ///< their buffers
};

} // namespace

QString sm90MatmulCudaText(const KernelSource &source) {
    return Sm90Matmul(source).run();
}

} // namespace warpwright
