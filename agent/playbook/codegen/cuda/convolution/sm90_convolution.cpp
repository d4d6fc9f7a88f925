// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/convolution/sm90_convolution.h"

#include "agent/playbook/codegen/cuda/convolution/templates/sm90_convolution.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/sm90_convolution.h"
#include "agent/playbook/target/program_device.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int rowBytes = 128;    ///< per row of a stage
constexpr int barrierBytes = 16; ///< per stage
constexpr int heldPitch = 40;    ///< floats of a row in shared memory, free of bank conflicts between rows
constexpr int heldBytes = 8 * 16 * heldPitch * 4;

/// Names for a spatial dimension, from the innermost on.
struct Dimension {
    const char *size; ///< in the name of the constant for its extent
    const char *taps;
    char letter; ///< in those for stride, padding and dilation
    const char *first;
    const char *offset;
};
constexpr Dimension space[] = {{"Width", "W", 'W', "w", "offsetW"},
                               {"Height", "H", 'H', "h", "offsetH"},
                               {"Depth", "D", 'D', "d", "offsetD"}};

class Sm90Convolution : private KernelWriter {
public:
    explicit Sm90Convolution(const KernelSource &source)
        : KernelWriter(source),
          m_sizes(source.kernel.convolution()->sizes),
          m_type(source.kernel.inputs[0].type),
          m_element(cTypeName(m_type, true)),
          m_tile(convolutionTile(source.kernel)),
          m_storeWidth(convolutionStoreWidth(source.kernel)),
          m_vectorWidth(m_storeWidth == ConvolutionStoreWidth::Vector4 ? 4 : 1),
          m_isPair(secondSumOf(source.kernel) >= 0),
          m_lastChunks(lastStageChunks(source.kernel)),
          m_firstEpilogueOperand(firstEpilogueInput(source.kernel)),
          m_dimensions(m_sizes.dimensions()) {
        for (std::size_t i = m_firstEpilogueOperand; i < source.kernel.inputs.size(); ++i)
            if (std::find(m_epilogueOperands.begin(), m_epilogueOperands.end(),
                          source.kernel.inputs[i].buffer) == m_epilogueOperands.end())
                m_epilogueOperands.push_back(source.kernel.inputs[i].buffer);
    }

    QString run() {
        const bool isHeld = m_storeWidth == ConvolutionStoreWidth::Coalesced;
        const QString statements = this->statements(isHeld ? 24 : 20);
        const QString out = addressText(m_kernel.stores[0].buffer, m_kernel.stores[0].address);
        const bool isHalf = m_type != ElementType::Float32;
        const int stageBytes = (m_tile.rows() + m_tile.positions * m_tile.groupsAcross()) * rowBytes;
        const int room = deviceOf(m_kernel).sharedBytesOfBlock - (isHeld ? heldBytes : 0);
        return fillTemplate(
            sm90ConvolutionText,
            {{"instructions", mbarrierInstructions + mbarrierArriveInstruction + wgmmaInstructions +
                                  (isHeld ? QString() : makeAnywayText(m_type, m_vectorWidth))},
             {"head", opening()},
             {"begin", producerWarpgroupText},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : QString()},
             {"images", QString::number(m_kernel.loops[0])},
             {"channels", QString::number(m_sizes.weight[1])},
             {"filters", QString::number(m_kernel.loops[1])},
             {"sizes", sizeLines()},
             {"positions", each([](const Dimension &some, std::size_t) {
                               return QStringLiteral("kOut%1").arg(QLatin1String(some.size));
                           }).join(QLatin1String(" * "))},
             {"mmaN", QString::number(m_tile.positions)},
             {"warpgroupsM", QString::number(m_tile.groupsDown)},
             {"warpgroupWords",
              m_tile.groupsDown == 2
                  ? QStringLiteral("warpgroups have different filters, the same positions")
                  : QStringLiteral("warpgroups have the same filters, different positions")},
             {"channelTile", QString::number(rowBytes / bytesOf(m_type))},
             {"stages", QString::number(room / (stageBytes + barrierBytes))},
             {"stagingBytes", isHeld ? QStringLiteral(" + kStagingBytes") : QString()},
             {"stagingWords",
              isHeld ? QStringLiteral("constexpr int kStagingPitch = %1; // of a row of sums, "
                                      "without bank conflicts\n"
                                      "constexpr int kStagingBytes = 8 * 16 * kStagingPitch * 4;\n")
                           .arg(heldPitch)
                     : QString()},
             {"staging", isHeld
                             ? QStringLiteral("    float *const staging = reinterpret_cast<float *>(shared + "
                                              "kStages * (kStageBytes + 16)) +\n"
                                              "                        (threadIdx.x / 32 - 4) * 16 * "
                                              "kStagingPitch; // of this warp\n")
                             : QString()},
             {"share", isHeld ? coalescedConvolutionStaging : QString()},
             {"filterWords", m_isPair ? QStringLiteral(" // of each of two convolutions") : QString()},
             {"mmaFilters", QString::number(m_isPair ? 32 : 64)},
             {"mmaFilterWords",
              m_isPair ? QStringLiteral(" // of each: one wgmma computes both, eight filters of each in turn")
                       : QString()},
             {"boxFilters", m_isPair ? QStringLiteral("8") : QStringLiteral("kTileFilters")},
             {"filterMap2",
              m_isPair ? QStringLiteral(" const __grid_constant__ CUtensorMap filterMap2,") : QString()},
             {"tmaLoadFilters", copyFilters()},
             {"maps", m_isPair ? QStringLiteral("filterMap, filterMap2, imageMap")
                               : QStringLiteral("filterMap, imageMap")},
             {"makeFilterMap2",
              m_isPair ? QStringLiteral(" !makeFilterMap(filterMap2, %1) ||").arg(filterPointer(2))
                       : QString()},
             {"vecWidth", QString::number(m_vectorWidth)},
             {"inFlight", QString::number(atOnce())},
             {"functions", helperFunctions(m_functions, CodeDialect::Cuda)},
             {"coordinates", joinedEach("int %1", &Dimension::first)},
             {"offsets", joinedEach("unsigned short %1", &Dimension::offset)},
             {"coordinateOperands", operands(3, m_dimensions + 2)},
             {"offsetOperands", operands(5 + m_dimensions, m_dimensions)},
             {"coordinateArguments", joinedEach("\"r\"(%1)", &Dimension::first)},
             {"offsetArguments", joinedEach("\"h\"(%1)", &Dimension::offset)},
             {"rank", QString::number(m_dimensions + 2)},
             {"space", QString::number(m_dimensions)},
             {"prefetch", prefetchText()},
             {"multiply", wgmmaText({m_tile.positions, m_type})},
             {"function", m_names.function},
             {"parameters", parameters()},
             {"firstPixel", firstPixel()},
             {"tapOffsets", tapOffsets()},
             {"prefetches", prefetches()},
             {"loop", m_lastChunks < 4 ? sm90ConvolutionRemainderLoop : sm90ConvolutionLoop},
             {"steps", m_lastChunks < 4
                           ? QStringLiteral("constexpr int kLastKSteps = %1; // of a tap's last tile: 32 "
                                            "bytes each, one wgmma\n")
                                 .arg(m_lastChunks)
                           : QStringLiteral("constexpr int kTilesK = kTaps * kTilesPerTap;\n")},
             {"pieces", m_storeWidth == ConvolutionStoreWidth::Vector4     ? vectorConvolutionMapping
                        : m_storeWidth == ConvolutionStoreWidth::Coalesced ? coalescedConvolutionMapping
                                                                           : scalarConvolutionMapping},
             {"reads", reads()},
             {"finish", fillTemplate(isHeld ? coalescedConvolutionEpilogue : sm90ConvolutionEpilogue,
                                     {{"sum", sum()},
                                      {"where", where(out, isHeld ? 16 : 20)},
                                      {"statements", statements},
                                      {"out", out}})},
             {"mapWords", isHalf ? QString()
                                 : QStringLiteral(" It rounds floats to TF32;\n// the tensor cores would "
                                                  "truncate them.")},
             {"type", m_element},
             {"mapType", m_type == ElementType::Float16 ? QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_FLOAT16")
                         : isHalf                       ? QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_BFLOAT16")
                                                        : QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_TFLOAT32")},
             {"imageSizes", each([](const Dimension &some, std::size_t) {
                                return QStringLiteral("k%1").arg(QLatin1String(some.size));
                            }).join(QLatin1String(", "))},
             {"lower", each([](const Dimension &some, std::size_t) {
                           return QStringLiteral("-kPadding%1").arg(QLatin1Char(some.letter));
                       }).join(QLatin1String(", "))},
             {"upper", each([](const Dimension &some, std::size_t) {
                           return QStringLiteral("(kOut%1 - 1) * kStride%2 - kPadding%2 - (k%1 - 1)")
                               .arg(QLatin1String(some.size))
                               .arg(QLatin1Char(some.letter));
                       }).join(QLatin1String(",\n                          "))},
             {"elementStrides", each([](const Dimension &some, std::size_t) {
                                    return QStringLiteral("kStride%1").arg(QLatin1Char(some.letter));
                                }).join(QLatin1String(", "))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_program, m_names) +
                                          QStringLiteral(", int, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"filterPointer", filterPointer(1)},
             {"imagePointer", pointer(m_kernel.inputs[0].buffer, true)},
             {"arguments", arguments()}});
    }

private:
    [[nodiscard]] const KernelInput &inputOf(std::size_t input) const { return m_kernel.inputs[input]; }
    [[nodiscard]] ConvolutionAddress flat(const AffineExpr &address) const {
        return *convolutionAddress(m_kernel, address);
    }
    /// From torch's sizes [.., .., space] or [space]; `dimension` counts from the innermost on.
    [[nodiscard]] static std::int64_t innermost(const Shape &shape, std::size_t dimension) {
        return shape[shape.size() - 1 - dimension];
    }
    template <typename Made>
    [[nodiscard]] QStringList each(Made made) const {
        QStringList list;
        for (std::size_t d = 0; d < m_dimensions; ++d)
            list << made(space[d], d);
        return list;
    }
    [[nodiscard]] QString joinedEach(const char *text, const char *Dimension::*name) const {
        return each([&](const Dimension &some, std::size_t) {
                   return QString::fromLatin1(text).arg(QLatin1String(some.*name));
               })
            .join(QLatin1String(", "));
    }
    /// "%3, %4, %5"
    [[nodiscard]] static QString operands(std::size_t first, std::size_t count) {
        QStringList list;
        for (std::size_t i = 0; i < count; ++i)
            list << QLatin1Char('%') + QString::number(first + i);
        return list.join(QLatin1String(", "));
    }

    [[nodiscard]] QString opening() const {
        QString head = kernelHeadComment(
            m_kernel, m_names,
            QStringLiteral(
                "A convolution with a fused epilogue. A library's convolution is hard to beat, but it has "
                "neither this epilogue nor this memory format of the result: all of it would be read and "
                "written once more. For GPUs of compute capability 9.0:"));
        for (const QString &point :
             {QStringLiteral(
                  "It is an implicit GEMM: filters, each a row of taps and channels, times the pixels "
                  "under the taps. That second matrix (im2col) is never stored: the copy engine (TMA) "
                  "gathers its boxes from the NHWC image, with zeros for the padding."),
              QStringLiteral("While the tensor cores (wgmma) multiply one stage, the next ones are loaded. "
                             "The warpgroup that copies needs few registers, and gives its spare ones to "
                             "the others."),
              QStringLiteral("Filters are the rows and output positions the columns, so that a thread has "
                             "adjacent positions of a filter.")})
            head += wrapped(point, QStringLiteral("//   - "), QStringLiteral("//     "));
        return head;
    }

    [[nodiscard]] QString sizeLines() const {
        QString text, taps;
        for (std::size_t d = m_dimensions; d-- > 0;) {
            text += fillTemplate(
                QStringLiteral("constexpr int k@size@ = @in@, kOut@size@ = @out@;\n"
                               "constexpr int kTaps@taps@ = @count@, kStride@letter@ = @stride@, "
                               "kPadding@letter@ = @padding@, kDilation@letter@ = @dilation@;\n"),
                {{"size", QLatin1String(space[d].size)},
                 {"taps", QLatin1String(space[d].taps)},
                 {"letter", QString(QLatin1Char(space[d].letter))},
                 {"in", QString::number(innermost(m_sizes.input, d))},
                 {"out", QString::number(innermost(m_kernel.loops, d))},
                 {"count", QString::number(innermost(m_sizes.weight, d))},
                 {"stride", QString::number(innermost(m_sizes.stride, d))},
                 {"padding", QString::number(innermost(m_sizes.padding, d))},
                 {"dilation", QString::number(innermost(m_sizes.dilation, d))}});
        }
        return text + QStringLiteral("constexpr int kTaps = %1;\n")
                          .arg(joinedEach("kTaps%1", &Dimension::taps)
                                   .replace(QLatin1String(", "), QLatin1String(" * ")));
    }

    /// Coordinate `d` of the flat index `number` for these extents: "position / kOutWidth % kOutHeight".
    [[nodiscard]] QString digit(const QString &number, const char *constant, const char *Dimension::*name,
                                std::size_t d) const {
        QString text = number;
        for (std::size_t k = 0; k < d; ++k)
            text += QStringLiteral(" / ") + QLatin1String(constant) + QLatin1String(space[k].*name);
        if (d + 1 < m_dimensions)
            text += QStringLiteral(" % ") + QLatin1String(constant) + QLatin1String(space[d].*name);
        return text;
    }
    [[nodiscard]] QString firstPixel() const {
        return each([this](const Dimension &some, std::size_t d) {
                   return QStringLiteral("%1 * kStride%2 - kPadding%2")
                       .arg(digit(QStringLiteral("position"), "kOut", &Dimension::size, d))
                       .arg(QLatin1Char(some.letter));
               })
            .join(QLatin1String(",\n                                      "));
    }
    [[nodiscard]] QString tapOffsets() const {
        return each([this](const Dimension &some, std::size_t d) {
                   return QStringLiteral("%1 * kDilation%2")
                       .arg(digit(QStringLiteral("tap"), "kTaps", &Dimension::taps, d))
                       .arg(QLatin1Char(some.letter));
               })
            .join(QLatin1String(", "));
    }

    /// "x + image * 3136 + filter * 512 + position"
    [[nodiscard]] QString addressText(int buffer, const AffineExpr &address) const {
        const ConvolutionAddress at = flat(address);
        return QStringLiteral("%1 + %2").arg(
            m_names.nameOf(buffer),
            indexExpression({at.offset, {at.image, at.filter, at.position}},
                            {QStringLiteral("image"), QStringLiteral("filter"), QStringLiteral("position")}));
    }
    /// Lines that define `image` and `place` where `text` uses them.
    [[nodiscard]] static QString where(const QString &text, int depth) {
        QString lines;
        for (const auto &[word, sign] : {std::pair("image", '/'), std::pair("position", '%')})
            if (text.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(QLatin1String(word)))))
                lines += QString(depth, QLatin1Char(' ')) +
                         QStringLiteral("const int %1 = flatPosition %2 kPositions;\n")
                             .arg(QLatin1String(word))
                             .arg(QLatin1Char(sign));
        return lines;
    }
    [[nodiscard]] QString readName(std::size_t input) const {
        return QStringLiteral("read%1").arg(input - m_firstEpilogueOperand + 1);
    }
    [[nodiscard]] bool isOfFilter(std::size_t input) const {
        return flat(inputOf(input).address).position == 0;
    }

    [[nodiscard]] int atOnce() const {
        std::size_t vecs = 0;
        for (std::size_t i = m_firstEpilogueOperand; i < m_kernel.inputs.size(); ++i)
            vecs += isOfFilter(i) ? 0U : 1U;
        // The same number of registers, however many tensors are read.
        int count = vecs <= 1 ? 8 : vecs == 2 ? 4 : 2;
        if (m_storeWidth == ConvolutionStoreWidth::Coalesced) // a piece is one element; at most a warp's rows
            count = m_isPair ? 8 : vecs <= 2 ? 16 : 8;
        while (m_tile.positions / (m_isPair ? 4 : 2) / m_vectorWidth % count != 0)
            count /= 2;
        return count;
    }

    [[nodiscard]] QString parameters() const {
        QStringList list;
        for (const int buffer : m_epilogueOperands)
            list << QStringLiteral("const %1 *__restrict__ %2").arg(m_element, m_names.nameOf(buffer));
        list << QStringLiteral("%1 *__restrict__ %2")
                    .arg(m_element, m_names.nameOf(m_kernel.stores[0].buffer));
        return QStringLiteral(",\n        ") + list.join(QLatin1String(", "));
    }
    [[nodiscard]] QString arguments() const {
        QString list;
        for (const int buffer : m_epilogueOperands)
            list += QStringLiteral(", ") + pointer(buffer, true);
        return list + QStringLiteral(", ") + pointer(m_kernel.stores[0].buffer, false);
    }
    [[nodiscard]] QString pointer(int buffer, bool isRead) const {
        const QString name = m_names.nameOf(buffer);
        return m_type == ElementType::Float32
                   ? name
                   : QStringLiteral("static_cast<%1%2 *>(%3)")
                         .arg(isRead ? QStringLiteral("const ") : QString(), m_element, name);
    }

    [[nodiscard]] QString filterPointer(std::size_t input) const {
        const std::int64_t offset = inputOf(input).address.offset;
        return pointer(inputOf(input).buffer, true) +
               (offset == 0 ? QString() : QStringLiteral(" + %1").arg(offset));
    }
    [[nodiscard]] QString copyFilters() const {
        return m_isPair
                   ? QStringLiteral(
                         "#pragma unroll\n"
                         "                    for (int box = 0; box < kTileM / 8; ++box)\n"
                         "                        tmaLoadFilters(smemFilters + (stage * kTileM + box * 8) * "
                         "128,\n"
                         "                                       box % 2 == 0 ? &filterMap : &filterMap2, "
                         "fullBarrier + "
                         "8 * stage,\n"
                         "                                       channelTile * kTileK, tap, firstFilter + "
                         "box / 2 * "
                         "8);\n")
                   : QStringLiteral(
                         "                    tmaLoadFilters(smemFilters + stage * kTileM * 128, &filterMap, "
                         "fullBarrier + 8 * stage,\n"
                         "                                   channelTile * kTileK, tap, firstFilter);\n");
    }

    /// Prefetches epilogue operands that are laid out like the result into L2 during the main loop: cache
    /// lines along positions, or along filters.
    [[nodiscard]] QString prefetches() const {
        const auto line = static_cast<int>(rowBytes / bytesOf(m_type));
        QString text;
        for (const bool isAlongPositions : {true, false}) {
            QString lines;
            for (std::size_t i = m_firstEpilogueOperand; i < m_kernel.inputs.size(); ++i) {
                const ConvolutionAddress at = flat(inputOf(i).address);
                if (at.position != 0 && at.filter != 0 && (isAlongPositions ? at.position : at.filter) == 1)
                    lines += QStringLiteral("            prefetch(%1);\n")
                                 .arg(addressText(inputOf(i).buffer, inputOf(i).address));
            }
            if (lines.isEmpty())
                continue;
            const int across = std::max(1, (m_isPair ? 32 : 64) / line);
            const QString filter = isAlongPositions ? QStringLiteral("i % kMmaFilters")
                                   : across > 1     ? QStringLiteral("i % %1 * %2").arg(across).arg(line)
                                                    : QString();
            const QString number = isAlongPositions ? QStringLiteral("i / kMmaFilters * %1").arg(line)
                                   : across > 1     ? QStringLiteral("i / %1").arg(across)
                                                    : QStringLiteral("i");
            text += QStringLiteral(
                        "        // Epilogue operands: cache lines of %1 elements.\n"
                        "        for (int i = thread; i < %2; i += 128) {\n"
                        "            const int filter = min(firstFilter%3, kFilters - 1);\n"
                        "            const int flatPosition = min(firstPosition + %4, kAllPositions - 1);\n")
                        .arg(line)
                        .arg(isAlongPositions ? (m_isPair ? 32 : 64) * ((m_tile.positions + line - 1) / line)
                                              : m_tile.positions * across)
                        .arg(filter.isEmpty() ? QString() : QStringLiteral(" + ") + filter, number) +
                    where(lines, 12) + lines + QStringLiteral("        }\n");
        }
        return text;
    }
    [[nodiscard]] QString prefetchText() const {
        return prefetches().isEmpty()
                   ? QString()
                   : QStringLiteral(
                         "__device__ __forceinline__ void prefetch(const @type@ *address) {\n"
                         "    asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(address));\n}\n\n");
    }

    [[nodiscard]] QString reads() const {
        QString arrays, lines;
        for (std::size_t i = m_firstEpilogueOperand; i < m_kernel.inputs.size(); ++i) {
            const QString position = addressText(inputOf(i).buffer, inputOf(i).address);
            const ConvolutionAddress at = flat(inputOf(i).address);
            arrays += QStringLiteral("            %1 %2[kInFlight];\n")
                          .arg(isOfFilter(i) ? m_element : QStringLiteral("Vec"), readName(i));
            if (isOfFilter(i))
                lines += QStringLiteral("                %1[i] = *(%2);\n").arg(readName(i), position);
            else if (m_vectorWidth == 1 || at.position == 1)
                lines += QStringLiteral("                %1[i] = *reinterpret_cast<const Vec *>(%2);\n")
                             .arg(readName(i), position);
            else
                lines += QStringLiteral("#pragma unroll\n"
                                        "                for (int k = 0; k < kVecWidth; ++k)\n"
                                        "                    %1[i].at[k] = *(%2 + k * %3);\n")
                             .arg(readName(i), position)
                             .arg(at.position);
        }
        if (lines.isEmpty())
            return {};
        const auto names = [&lines](const char *word) {
            return lines.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(QLatin1String(word))));
        };
        QString found;
        if (names("filter"))
            found += QStringLiteral(
                "                const int filter = min(filterOf(firstVector + i), kFilters - 1);\n");
        if (names("image") || names("position"))
            found += QStringLiteral("                const int flatPosition = min(positionOf(firstVector + "
                                    "i), kAllPositions - kVecWidth);\n");
        return arrays +
               QStringLiteral("#pragma unroll\n            for (int i = 0; i < kInFlight; ++i) {\n") + found +
               where(lines, 16) + lines + QStringLiteral("            }\n");
    }

    [[nodiscard]] QString sum() const {
        switch (m_storeWidth) {
        case ConvolutionStoreWidth::Vector4:
            return vectorConvolutionSum + (m_isPair ? vectorConvolutionSecondSum : QString());
        case ConvolutionStoreWidth::Coalesced:
            return coalescedConvolutionSum + (m_isPair ? coalescedConvolutionSecondSum : QString());
        case ConvolutionStoreWidth::Single:
            break;
        }
        return scalarConvolutionSum + (m_isPair ? scalarConvolutionSecondSum : QString());
    }

    QString statements(int depth) {
        QString lines;
        const auto elementOf = [this](int input) {
            const auto which = static_cast<std::size_t>(input);
            return readName(which) +
                   (isOfFilter(which) ? QStringLiteral("[i]") : QStringLiteral("[i].at[k]"));
        };
        for (const QString &line : epilogueStatements(m_kernel, elementOf, QStringLiteral("sum[k]"),
                                                      m_storeWidth == ConvolutionStoreWidth::Coalesced
                                                          ? QStringLiteral("results[i].at[k]")
                                                          : QStringLiteral("result.at[k]"),
                                                      m_functions, CodeDialect::Cuda))
            lines += wrapped(line, QString(depth, QLatin1Char(' ')), QString(depth + 4, QLatin1Char(' ')));
        return lines;
    }

    const ConvolutionSizes &m_sizes;
    ElementType m_type;
    QString m_element;
    ConvolutionTile m_tile;
    ConvolutionStoreWidth m_storeWidth;
    int m_vectorWidth;
    bool m_isPair;    ///< two convolutions of one image: each has half of the rows
    int m_lastChunks; ///< wgmmas for a tap's last chunk of channels
    std::size_t m_firstEpilogueOperand;
    std::size_t m_dimensions;            ///< spatial
    std::vector<int> m_epilogueOperands; ///< buffers that the epilogue reads
    std::set<QString> m_functions;
};

} // namespace

QString sm90ConvolutionCudaText(const KernelSource &source) {
    return Sm90Convolution(source).run();
}

} // namespace warpwright
