// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/convolution/depthwise_convolution.h"

#include "agent/playbook/codegen/cuda/convolution/depthwise_loads.h"
#include "agent/playbook/codegen/cuda/convolution/depthwise_stores.h"
#include "agent/playbook/codegen/cuda/convolution/templates/depthwise.h"
#include "agent/playbook/codegen/depthwise_boundary.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/depthwise_space.h"

#include <algorithm>

namespace warpwright {
namespace {

class DepthwiseConvolution : private KernelWriter {
public:
    explicit DepthwiseConvolution(const KernelSource &source)
        : KernelWriter(source),
          m_sizes(source.kernel.convolution()->sizes),
          m_type(source.kernel.inputs[0].type),
          m_isHalf(m_type == ElementType::Float16 || m_type == ElementType::BFloat16),
          m_isDeep(m_sizes.dimensions() == 3),
          m_isDirect(readsDirectly(m_sizes, computedBytes())),
          m_isInPieces(tapsAtOnce(m_sizes) < m_sizes.weight.back()),
          m_compute(m_type == ElementType::Float64 ? QStringLiteral("double") : QStringLiteral("float")),
          m_tilings(depthwiseTilings(m_sizes, computedBytes())) {}

    QString run() {
        const QStringList passed = m_isHalf ? castPointers(m_names, memory()) : m_names.buffers;
        const QString kernel = kernelText();
        const QString list = m_isDirect ? QStringLiteral("TILE_W, TILE_H, STRIPS")
                                        : QStringLiteral("TILE_W, TILE_H, THREADS_W, THREADS_H, PLANES");
        const QString threads = m_isDirect ? QStringLiteral("kChannelsPerBlock * STRIPS")
                                           : QStringLiteral("THREADS_W * THREADS_H * PLANES");
        QString cases = QStringLiteral("    switch (config) {\n");
        QStringList words;
        for (std::size_t i = m_tilings.size(); i-- > 0;) {
            cases += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
            cases += wrappedCall(QStringLiteral("        return launch<%1>(").arg(numbersOf(m_tilings[i])),
                                 (passed + QStringList(QStringLiteral("stream"))).join(QLatin1String(", ")),
                                 QStringLiteral(");"));
            words.prepend(
                QStringLiteral("%1 -> %2 by %3 results a thread, %4 threads")
                    .arg(i)
                    .arg(m_tilings[i].across)
                    .arg(m_tilings[i].down)
                    .arg(m_tilings[i].threadsAcross * m_tilings[i].threadsDown * m_tilings[i].planes));
        }
        return fillTemplate(
            depthwiseFileText,
            {{"head", opening()},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : QString()},
             {"constants", constants()},
             {"functions", helperFunctions(m_functions, CodeDialect::Cuda)},
             {"kernel", kernel},
             {"template",
              QStringLiteral("int ") + QString(list).replace(QLatin1String(", "), QLatin1String(", int "))},
             {"start", wrappedCall(QStringLiteral("int launch("),
                                   pointerParameters(m_names, memory(), false) +
                                       QStringLiteral(", cudaStream_t stream"),
                                   QStringLiteral(") {"))
                           .chopped(1)},
             {"blocks", blocks()},
             {"threads", threads},
             {"function", m_names.function},
             {"list", list},
             {"call", wrappedCall(QStringLiteral("        <<<unsigned(kBlocks), kThreads, 0, stream>>>("),
                                  m_names.buffers.join(QLatin1String(", ")), QStringLiteral(");"))},
             {"words", words.join(QLatin1String(";\n// "))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_program, m_names) +
                                          QStringLiteral(", int config, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"cases", cases + QStringLiteral("    }")}});
    }

private:
    std::int64_t space(const Shape &shape, std::size_t which, std::size_t first, std::int64_t missing) const {
        return spaceOf(m_sizes, shape, which, first, missing);
    }
    QString memory() const { return cTypeName(m_type, true); }
    QString value(const QString &element) const {
        return m_type == ElementType::Float16    ? QStringLiteral("__half2float(%1)").arg(element)
               : m_type == ElementType::BFloat16 ? QStringLiteral("__bfloat162float(%1)").arg(element)
                                                 : element;
    }
    QString zero() const {
        return m_compute == QLatin1String("double") ? QStringLiteral("0.0") : QStringLiteral("0.0f");
    }
    QString filterName() const { return m_names.nameOf(m_kernel.inputs[1].buffer); }

    QString numbersOf(const DepthwiseTiling &tiling) const {
        return m_isDirect
                   ? QStringLiteral("%1, %2, %3").arg(tiling.across).arg(tiling.down).arg(tiling.planes)
                   : QStringLiteral("%1, %2, %3, %4, %5")
                         .arg(tiling.across)
                         .arg(tiling.down)
                         .arg(tiling.threadsAcross)
                         .arg(tiling.threadsDown)
                         .arg(tiling.planes);
    }

    QString blocks() const {
        return m_isDirect ? QStringLiteral("kChannelBlocks *\n        ((std::int64_t(kImages) * "
                                           "%1((kOutHeight - 1) / TILE_H + 1) "
                                           "*\n          ((kOutWidth - 1) / TILE_W + 1) - 1) / STRIPS + 1)")
                                .arg(m_isDeep ? QStringLiteral("kOutDepth * ") : QString())
                          : QStringLiteral("std::int64_t((kPlanes - 1) / PLANES + 1) *\n"
                                           "        ((kOutHeight - 1) / (THREADS_H * TILE_H) + 1) *\n"
                                           "        ((kOutWidth - 1) / (THREADS_W * TILE_W) + 1)");
    }

    QString opening() const {
        QString text = kernelHeadComment(
            m_kernel, m_names,
            QStringLiteral(
                "A depthwise convolution: each channel has its own filters. Few multiplications an element, "
                "so it is bound by memory, or by loading values again. Each input is used by many results; "
                "where is it kept in between?"));
        const auto point = [&text](const QString &words) {
            text += wrapped(words, QStringLiteral("//   "), QStringLiteral("//      "));
        };
        point(QStringLiteral(
            "1. Registers: a thread computes a tile of adjacent results. It iterates over the rows of "
            "the input that they need, loads its segment of a row once, and each result uses its part "
            "of it."));
        point(!m_isDirect
                  ? QStringLiteral(
                        "2. Shared memory: a block loads its tile of the image with a halo as wide as "
                        "the window, each element once, and its threads read it as vectors of four.")
              : channelThreads(m_sizes, computedBytes()) == 1
                  ? QStringLiteral(
                        "2. A block's tile of the image with a halo as wide as the window would not fit into "
                        "shared memory: what neighbouring threads share comes from the cache.")
                  : QStringLiteral("2. The input is channels-last (NHWC), so the threads of a warp take "
                                   "adjacent channels: their loads are coalesced. What the next strip reads "
                                   "again comes from the cache."));
        point(
            holdsFilter(m_sizes)
                ? QStringLiteral("3. The filter stays in registers as well: loops over taps are unrolled, so "
                                 "that each index into it is a compile-time constant.")
                : QStringLiteral(
                      "3. The filter is too large for registers: it is in shared memory, and all threads "
                      "of a warp read the same address at once, or addresses in different banks."));
        int number = 3;
        if (!m_sizes.boundaryModes.empty())
            point(QStringLiteral(
                      "%1. The image is padded (%2), but the padded image is never stored: blocks at a "
                      "border read the elements from inside, one by one.")
                      .arg(++number)
                      .arg(boundaryDescription(m_sizes)));
        if (m_kernel.stores.size() > 1)
            point(QStringLiteral(
                      "%1. Several results are computed from the same sums while these are in registers, so "
                      "that they are not read from memory again.")
                      .arg(++number));
        return text;
    }

    QString constants() const {
        QString text;
        const auto add = [&text](const QString &name, std::int64_t number, const char *words = "",
                                 const char *type = "int") {
            text += QStringLiteral("constexpr %1 %2 = %3;%4\n")
                        .arg(QLatin1String(type), name)
                        .arg(number)
                        .arg(*words == 0 ? QString() : QStringLiteral(" // ") + QLatin1String(words));
        };
        const std::int64_t multiplier = m_sizes.weight[0] / m_sizes.groups;
        const std::size_t first = m_isDeep ? 0 : 1;
        const char *words[3] = {"Depth", "Height", "Width"};
        add(QStringLiteral("kImages"), m_sizes.input[0]);
        add(QStringLiteral("kChannels"), m_sizes.output[1], "of the result");
        add(QStringLiteral("kFiltersPerChannel"), multiplier, "of the input: the depth multiplier");
        for (std::size_t d = first; d < 3; ++d)
            add(QStringLiteral("k%1").arg(QLatin1String(words[d])), space(m_sizes.input, d, 2, 1));
        for (std::size_t d = first; d < 3; ++d)
            add(QStringLiteral("kOut%1").arg(QLatin1String(words[d])), space(m_sizes.output, d, 2, 1));
        if (!m_isDirect)
            text += QStringLiteral("constexpr int kPlanes = kImages * kChannels%1;\n")
                        .arg(m_isDeep ? QStringLiteral(" * kOutDepth") : QString());
        const auto each = [&](const char *name, const Shape &sizes, std::int64_t missing) {
            for (std::size_t d = first; d < 3; ++d)
                add(QLatin1String(name) + QLatin1Char("DHW"[d]), space(sizes, d, 0, missing));
        };
        each("kStride", m_sizes.stride, 1);
        each("kPadding", m_sizes.padding, 0);
        each("kDilation", m_sizes.dilation, 1);
        if (m_isDeep)
            add(QStringLiteral("kTapsD"), space(m_sizes.weight, 0, 2, 1));
        add(QStringLiteral("kTapsH"), space(m_sizes.weight, 1, 2, 1));
        add(QStringLiteral("kTapsW"), m_sizes.weight.back());
        add(QStringLiteral("kUnrolledTaps"), tapsAtOnce(m_sizes), "of a row of the window, unrolled");
        add(QStringLiteral("kTaps"), m_sizes.taps(), "of a filter");
        const char *steps[5] = {"ImageStride", "ChannelStride", "DepthStride", "RowStride", "ColumnStride"};
        for (const bool isOut : {false, true})
            for (std::size_t k = 0; k < 5; ++k) {
                const Shape &strides = isOut ? m_kernel.stores[0].address.steps : m_sizes.inputStrides;
                if ((k == 2 && !m_isDeep) || (k == 4 && !isOut && !m_isDirect))
                    continue;
                add(QStringLiteral("k%1%2").arg(isOut ? QStringLiteral("Out") : QString(),
                                                QLatin1String(steps[k])),
                    k < 2 ? strides[k] : space(strides, k - 2, 2, 0),
                    k > 0   ? ""
                    : isOut ? "strides of the result, in elements"
                            : "strides of the input, in elements",
                    "std::int64_t");
            }
        if (m_isDirect) {
            add(QStringLiteral("kChannelsPerBlock"), channelThreads(m_sizes, computedBytes()),
                "channels of a block");
            text += QStringLiteral(
                "constexpr int kChannelBlocks = (kChannels + kChannelsPerBlock - 1) / kChannelsPerBlock;\n"
                "constexpr int kPitch = kTaps | 1;\n");
        } else {
            add(QStringLiteral("kAlignOffset"), leadOf(m_sizes),
                "elements before the window that align a load's address");
        }
        if (const QString functions = boundaryFunctions(m_sizes, QStringLiteral("int"), true);
            !functions.isEmpty())
            text += QLatin1Char('\n') + functions.chopped(1);
        if (!m_isDirect || hasOutputVectors())
            text += QStringLiteral(
                "\n// Four adjacent elements: one load of 16 bytes, where they are floats.\n"
                "template <typename T>\nstruct alignas(4 * sizeof(T)) Vec {\n    T at[4];\n};\n");
        if ((!m_isDirect && loadWidth(m_sizes) == 2) || (hasOutputVectors() && storesPairs(m_kernel)))
            text += QLatin1String(
                "template <typename T>\nstruct alignas(2 * sizeof(T)) Pair {\n    T at[2];\n};\n");
        return text;
    }
    int computedBytes() const { return m_type == ElementType::Float64 ? 8 : 4; }

    /// Whether results are stored as vectors of four.
    bool hasOutputVectors() const {
        return storesVectors(m_kernel) &&
               std::all_of(m_tilings.begin(), m_tilings.end(),
                           [](const DepthwiseTiling &tiling) { return tiling.across % 4 == 0; });
    }

    QString kernelText() {
        const bool isDilated = space(m_sizes.dilation, 1, 0, 1) > 1;
        const int depth = m_isDeep ? 4 : 0;
        QString row = m_isDirect ? depthwiseChannelsSegment : depthwiseTileSegment;
        QString taps = depthwiseTapsText;
        if (m_isInPieces)
            taps.replace(QLatin1String("        const @compute@ tapWeight"),
                         QLatin1String("        if (firstTap + tapW >= kTapsW)\n            break;\n"
                                       "        const @compute@ tapWeight"));
        if (hasFilterVectors()) {
            taps.replace(
                QLatin1String("#pragma unroll\n    for (int tapW"),
                QLatin1String("    Vec<@compute@> weights[kFilterVectors];\n"
                              "#pragma unroll\n"
                              "    for (int p = 0; p < kFilterVectors; ++p)\n"
                              "        weights[p] = filter[tap@overDilation@ * kFilterVectors + p];\n"
                              "#pragma unroll\n    for (int tapW"));
            taps.replace(QLatin1String("filter[tap@overDilation@ * kTapsW + @tapAcross@]"),
                         QLatin1String("weights[tapW / 4].at[tapW % 4]"));
        }
        row += taps;
        if (m_isInPieces)
            row = QStringLiteral(
                      "for (int firstTap = 0; firstTap < kTapsW; firstTap += kUnrolledTaps) {\n%1\n}\n")
                      .arg(indentedText(row, 4));
        const QString piece = !m_isInPieces ? QString()
                              : m_isDirect  ? QStringLiteral(" + firstTap * kDilationW")
                                            : QStringLiteral(" + firstTap * kDilationW / 4");
        row = fillTemplate(
            indentedText(row, 8 + depth),
            {{"columnPlace", boundedIndex(m_sizes, 2, QStringLiteral("left + i") + piece)},
             {"piece", piece},
             {"element", value(QStringLiteral("sourceRow[w * kColumnStride]"))},
             {"dilationTest", isDilated ? QStringLiteral(" || tap % kDilationH != 0") : QString()},
             {"overDilation", isDilated ? QStringLiteral(" / kDilationH") : QString()},
             {"lead", m_isDirect ? QString() : QStringLiteral("kAlignOffset + ")},
             {"tapAcross", m_isInPieces ? QStringLiteral("firstTap + tapW") : QStringLiteral("tapW")}});
        const int buffer = m_kernel.inputs[0].buffer;
        const QString x =
            m_sizes.inputOffset == 0
                ? m_names.nameOf(buffer)
                : QStringLiteral("%1 + %2").arg(m_names.nameOf(buffer)).arg(m_sizes.inputOffset);
        const std::int64_t offset = m_kernel.stores[0].address.offset;
        const QString y = m_names.nameOf(m_kernel.stores[0].buffer) +
                          (offset == 0 ? QString() : QStringLiteral(" + %1").arg(offset));
        const QString signature =
            wrappedCall(QStringLiteral("    %1(").arg(m_names.function),
                        pointerParameters(m_names, memory(), true), QStringLiteral(") {"))
                .chopped(1);
        const auto onlyDeep = [this](const char *text) {
            return m_isDeep ? QString::fromLatin1(text) : QString();
        };
        return fillTemplate(
            linesForDimensions(m_isDirect ? depthwiseChannelsText : depthwiseTileText, m_sizes.dimensions()),
            {{"signature", signature},
             {"stripType", elementCount(m_sizes.output) < (std::int64_t(1) << 31)
                               ? QStringLiteral("int")
                               : QStringLiteral("std::int64_t")},
             {"planeWords", onlyDeep(", at one depth of the result")},
             {"moreVectors",
              m_isInPieces
                  ? QStringLiteral(" +\n                               (kTapsW - 1) / kUnrolledTaps * "
                                   "kUnrolledTaps * kDilationW / 4")
                  : QString()},
             {"sharedFilters", sharedFilters()},
             {"fetch", indentedText(depthwiseLoads(m_sizes, m_type, m_compute), 4 + depth)},
             {"tileColumns", tileColumns()},
             {"depthOf", depthOfFrom(8)},
             {"boundaryDepth", depthOfFrom(4)},
             {"depthPlace",
              boundedIndex(m_sizes, 0, QStringLiteral("depth * kStrideD - kPaddingD + tapD * kDilationD"))},
             {"rowPlace", boundedIndex(m_sizes, 1, QStringLiteral("top + r"))},
             {"depthTest", onlyDeep(" && d >= 0 && d < kDepth")},
             {"planesPerImage",
              m_isDeep ? QStringLiteral("(kChannels * kOutDepth)") : QStringLiteral("kChannels")},
             {"overDepth", onlyDeep(" / kOutDepth")},
             {"depthStep", onlyDeep(" + d * kDepthStride")},
             {"outDepth", onlyDeep(" + depth * kOutDepthStride")},
             {"outDepths", onlyDeep("kOutDepth * ")},
             {"filterOfThread", indentedText(filterOfThread(), 4 + depth)},
             {"unrollRows", space(m_sizes.weight, 1, 2, 1) <= 7 ? QStringLiteral("#pragma unroll")
                                                                : QStringLiteral("#pragma unroll 1")},
             {"rowBody", row},
             {"firstFilters", value(QStringLiteral("%1[firstChannel * kTaps + k]").arg(filterName()))},
             {"results", depthwiseStores(m_kernel, m_names, m_isDirect, hasOutputVectors(), m_functions)},
             {"x", x},
             {"y", y},
             {"zero", zero()},
             {"memory", memory()},
             {"compute", m_compute}});
    }

    /// The line that computes the depth in the input of an element to load.
    QString depthOfFrom(int indent) const {
        return !m_isDeep
                   ? QString()
                   : QStringLiteral("%1const int d = %2;\n")
                         .arg(QString(indent, QLatin1Char(' ')),
                              boundedIndex(
                                  m_sizes, 0,
                                  QStringLiteral(
                                      "sourcePlane % kOutDepth * kStrideD - kPaddingD + tapD * kDilationD")));
    }

    QString tileColumns() const {
        const std::int64_t width = loadWidth(m_sizes);
        return width == 4
                   ? QString()
                   : QStringLiteral("    constexpr int kTileLoads = kTileVectors * %1; // of a row\n"
                                    "    constexpr int kMaxThreadsPerRow = kTileLoads > 16 ? 32 : kTileLoads "
                                    "> 8 ? 16 : 8;\n"
                                    "    constexpr int kThreadsPerRow = kThreads < kMaxThreadsPerRow ? "
                                    "kThreads : kMaxThreadsPerRow;\n"
                                    "    constexpr int kRowsPerIteration = kThreads / kThreadsPerRow;\n")
                         .arg(4 / width);
    }

    /// Whether a row of a filter is read from shared memory as vectors, like the image.
    bool hasFilterVectors() const { return !m_isDirect && !m_isInPieces && !holdsFilter(m_sizes); }

    /// The filters of a tile's planes in shared memory, where they do not fit into registers.
    QString sharedFilters() const {
        if (holdsFilter(m_sizes))
            return {};
        const QString channel = m_isDeep ? QStringLiteral("(firstPlane + k / kTaps) / kOutDepth % kChannels")
                                         : QStringLiteral("(firstPlane + k / kTaps) % kChannels");
        if (hasFilterVectors())
            return QStringLiteral("    constexpr int kFilterVectors = (kTapsW - 1) / 4 + 1; // of a row\n"
                                  "    constexpr int kFilterSize = kTaps / kTapsW * kFilterVectors;\n"
                                  "    __shared__ Vec<%1> filters[PLANES * kFilterSize];\n"
                                  "    for (int k = threadIdx.x; k < PLANES * kTaps; k += kThreads)\n"
                                  "        filters[k / kTapsW * kFilterVectors + k % kTapsW / "
                                  "4].at[k % kTapsW % 4] =\n"
                                  "            %2;\n")
                .arg(m_compute,
                     value(QStringLiteral("%1[%2 * kTaps + k % kTaps]").arg(filterName(), channel)));
        return QStringLiteral("    __shared__ %1 filters[PLANES * kTaps];\n"
                              "    for (int k = threadIdx.x; k < PLANES * kTaps; k += kThreads)\n"
                              "        filters[k] = %2;\n")
            .arg(m_compute, value(QStringLiteral("%1[%2 * kTaps + k % kTaps]").arg(filterName(), channel)));
    }

    QString filterOfThread() const {
        const QString slice = m_isDeep ? QStringLiteral(" + tapD * kTapsH * kTapsW") : QString();
        const QString mine = m_isDirect ? QStringLiteral("lane * kPitch") : QStringLiteral("plane * kTaps");
        if (hasFilterVectors())
            return QStringLiteral("const Vec<%1> *const filter = filters + plane * kFilterSize%2;")
                .arg(m_compute, m_isDeep ? QStringLiteral(" + tapD * kTapsH * kFilterVectors") : QString());
        if (!holdsFilter(m_sizes))
            return QStringLiteral("const %1 *const filter = filters + %2%3;").arg(m_compute, mine, slice);
        const QString channel = m_isDeep ? QStringLiteral("(firstPlane + plane) / kOutDepth % kChannels")
                                         : QStringLiteral("(firstPlane + plane) % kChannels");
        const QString element =
            m_isDirect ? QStringLiteral("filters[%1%2 + tap]").arg(mine, slice)
                       : value(QStringLiteral("%1[%2 * kTaps%3 + tap]").arg(filterName(), channel, slice));
        return QStringLiteral("%1 filter[kTapsH * kTapsW];\n"
                              "#pragma unroll\n"
                              "for (int tap = 0; tap < kTapsH * kTapsW; ++tap)\n"
                              "    filter[tap] = %2;")
            .arg(m_compute, element);
    }

    const ConvolutionSizes &m_sizes;
    ElementType m_type;
    bool m_isHalf;
    bool m_isDeep;
    bool m_isDirect;
    bool m_isInPieces; ///< a row of the window is too long to be unrolled at once
    QString m_compute;
    std::vector<DepthwiseTiling> m_tilings;
    std::set<QString> m_functions;
};

} // namespace

QString depthwiseCudaText(const KernelSource &source) {
    return DepthwiseConvolution(source).run();
}

} // namespace warpwright
