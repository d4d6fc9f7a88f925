// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/convolution_cpu.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/scalar_text.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t widestTile = 512; ///< places of the result that are gathered at once

// Every text of these three sees space as three dimensions: those that are missing have size 1.

const QString gatheredText = QStringLiteral(R"(@head@#pragma omp parallel
    {
        // What a tile of the result needs, one row for each channel and tap: it stays in this core's cache.
        std::vector<@compute@> columns(kInner * kTilePlaces);
@own@#pragma omp for schedule(dynamic)
        for (std::int64_t job = 0; job < kImages * kGroups * kTiles; ++job) {
            const std::int64_t tile = job % kTiles;
            const std::int64_t group = job / kTiles % kGroups;
            const std::int64_t image = job / kTiles / kGroups;
            const std::int64_t firstRow = tile / kTilesAcross * kTileRows;
            const std::int64_t firstColumn = tile % kTilesAcross * kTileColumns;
            const std::int64_t rows = std::min(kTileRows, kOutDepth * kOutHeight - firstRow);
            const std::int64_t width = std::min(kTileColumns, kOutWidth - firstColumn);
            const std::int64_t places = rows * width;

            const @memory@ *const images = @x@ + image * @stepN@ + group * kIn * @stepC@;
            for (std::int64_t k = 0; k < kInner; ++k) {
                const std::int64_t tap = k % kTaps;
                const std::int64_t left = tap % kTapsAcross * kDilationW - kPaddingW;
                for (std::int64_t row = 0; row < rows; ++row) {
                    const std::int64_t d = (firstRow + row) / kOutHeight * kStrideD - kPaddingD +
                                           tap / kTapsAcross / kTapsDown * kDilationD;
                    const std::int64_t h = (firstRow + row) % kOutHeight * kStrideH - kPaddingH +
                                           tap / kTapsAcross % kTapsDown * kDilationH;
                    @compute@ *const to = columns.data() + k * places + row * width;
                    if (d < 0 || d >= kDepth || h < 0 || h >= kHeight) {
                        std::fill_n(to, width, @zero@); // padding
                        continue;
                    }
                    const @memory@ *const from = images + k / kTaps * @stepC@ + d * @stepD@ + h * @stepH@;
                    for (std::int64_t column = 0; column < width; ++column) {
                        const std::int64_t w = (firstColumn + column) * kStrideW + left;
                        to[column] = w >= 0 && w < kWidth ? @value@ : @zero@;
                    }
                }
            }
            const std::int64_t firstPlace = firstRow * kOutWidth + firstColumn;
@result@            multiply(@weights@ + group * kOut * kInner, columns.data(), result, places);
@epilogue@        }
    }
    return 0;
}
)");

const QString multiplyText =
    QStringLiteral(R"(// result [kOut, places] = filters [kOut, kInner] * columns [kInner, places]
void multiply(const @compute@ *filters, const @compute@ *columns, @compute@ *result, std::int64_t places) {
#if __has_include(<cblas.h>)
    cblas_@letter@gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(kOut), int(places), int(kInner), @one@,
                filters, int(kInner), columns, int(places), @zero@, result, @ldY@);
#else
    // Right, but many times slower: install the headers of OpenBLAS.
    for (std::int64_t out = 0; out < kOut; ++out) {
        @compute@ *const row = result + out * @ldY@;
        std::fill_n(row, places, @zero@);
        for (std::int64_t k = 0; k < kInner; ++k)
            for (std::int64_t place = 0; place < places; ++place)
                row[place] += filters[out * kInner + k] * columns[k * places + place];
    }
#endif
}

)");

const QString phasesText = QStringLiteral(
    R"(@head@    // For each tap the filters as a matrix [channels out, channels in], as BLAS takes them.
    std::vector<@compute@> packed(kGroups * kTaps * kOut * kIn);
    for (std::int64_t in = 0; in < kGroups * kIn; ++in)
        for (std::int64_t out = 0; out < kOut; ++out)
            for (std::int64_t tap = 0; tap < kTaps; ++tap)
                packed[((in / kIn * kTaps + tap) * kOut + out) * kIn + in % kIn] =
                    @filter@;
#pragma omp parallel
    {
        std::vector<@compute@> sums(kOut * kPhaseWidth);
#pragma omp for schedule(dynamic)
        for (std::int64_t job = 0; job < kImages * kGroups * kOutDepth * kOutHeight * kStrideW; ++job) {
            const std::int64_t phase = job % kStrideW; // columns phase, phase + kStrideW, ...
            const std::int64_t row = job / kStrideW % (kOutDepth * kOutHeight);
            const std::int64_t group = job / kStrideW / (kOutDepth * kOutHeight) % kGroups;
            const std::int64_t image = job / kStrideW / (kOutDepth * kOutHeight) / kGroups;
            const std::int64_t width = (kOutWidth - phase + kStrideW - 1) / kStrideW;
            if (width <= 0)
                continue;
            std::fill(sums.begin(), sums.end(), @zero@);
            for (std::int64_t tap = 0; tap < kTaps; ++tap) {
                // Which input meets this output at this tap: input * stride - padding + tap * dilation = output.
                const std::int64_t d =
                    row / kOutHeight + kPaddingD - tap / kTapsAcross / kTapsDown * kDilationD;
                const std::int64_t h =
                    row % kOutHeight + kPaddingH - tap / kTapsAcross % kTapsDown * kDilationH;
                const std::int64_t w = phase + kPaddingW - tap % kTapsAcross * kDilationW;
                if (d % kStrideD != 0 || h % kStrideH != 0 || w % kStrideW != 0)
                    continue; // a tap of another phase
                if (d < 0 || d / kStrideD >= kDepth || h < 0 || h / kStrideH >= kHeight)
                    continue;
                // Neighbours in the phase meet neighbours of the input, as far as there are some.
                const std::int64_t shift = w / kStrideW;
                const std::int64_t first = std::max<std::int64_t>(0, -shift);
                const std::int64_t last = std::min(width, kWidth - shift);
                if (first < last)
                    accumulate(packed.data() + (group * kTaps + tap) * kOut * kIn,
                               @x@ + image * @stepN@ + group * kIn * @stepC@ +
                                   d / kStrideD * @stepD@ + h / kStrideH * @stepH@ + first + shift,
                               sums.data() + first, last - first);
            }
            for (std::int64_t channel = 0; channel < kOut; ++channel) {
                const @compute@ *const from = sums.data() + channel * kPhaseWidth;
                @memory@ *const to = @y@ + ((image * kGroups + group) * kOut + channel) * kPlaces +
                                     row * kOutWidth + phase;
                for (std::int64_t column = 0; column < width; ++column)
                    to[column * kStrideW] = @stored@;
            }
        }
    }
    return 0;
}
)");

const QString accumulateText = QStringLiteral(
    R"(// sums [kOut, places] += filters [kOut, kIn] * input [kIn, places], whose channels lie far apart
void accumulate(const @compute@ *filters, const @memory@ *input, @compute@ *sums, std::int64_t places) {
@blas@    for (std::int64_t out = 0; out < kOut; ++out)
        for (std::int64_t in = 0; in < kIn; ++in) {
            const @compute@ filter = filters[out * kIn + in];
#pragma omp simd
            for (std::int64_t place = 0; place < places; ++place)
                sums[out * kPhaseWidth + place] += filter * @value@;
        }
@end@}

)");

const QString accumulateBlas = QStringLiteral(R"(#if __has_include(<cblas.h>)
    cblas_@letter@gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(kOut), int(places), int(kIn), @one@, filters,
                int(kIn), input, @stepC@, @one@, sums, int(kPhaseWidth));
#else
    // Right, but many times slower: install the headers of OpenBLAS.
)");

const QString depthwiseText = QStringLiteral(R"(@head@#pragma omp parallel
    {
        std::vector<@compute@> sums(kOutWidth);
#pragma omp for schedule(static)
        for (std::int64_t plane = 0; plane < kImages * kChannels; ++plane) {
            const std::int64_t image = plane / kChannels;
            const std::int64_t channel = plane % kChannels;
            const @memory@ *const in = @x@ + image * @stepN@ + channel / kFiltersPerChannel * @stepC@;
            for (std::int64_t row = 0; row < kOutDepth * kOutHeight; ++row) {
                std::fill(sums.begin(), sums.end(), @zero@);
                for (std::int64_t tap = 0; tap < kTaps; ++tap) {
                    const std::int64_t d = row / kOutHeight * kStrideD - kPaddingD +
                                           tap / kTapsAcross / kTapsDown * kDilationD;
                    const std::int64_t h = row % kOutHeight * kStrideH - kPaddingH +
                                           tap / kTapsAcross % kTapsDown * kDilationH;
                    if (d < 0 || d >= kDepth || h < 0 || h >= kHeight)
                        continue; // padding
                    const @memory@ *const from = in + d * @stepD@ + h * @stepH@;
                    const std::int64_t left = tap % kTapsAcross * kDilationW - kPaddingW;
                    // Where the input has no padding no question is left in the loop: vector code.
                    const std::int64_t first = left < 0 ? (-left + kStrideW - 1) / kStrideW : 0;
                    const std::int64_t inside = kWidth - left; // places * kStrideW stay below it
                    const std::int64_t last =
                        inside <= 0 ? 0 : std::min(kOutWidth, (inside + kStrideW - 1) / kStrideW);
                    const @compute@ filter = @filter@;
#pragma omp simd
                    for (std::int64_t column = first; column < last; ++column)
                        sums[column] += filter * @value@;
                }
                const std::int64_t firstPlace = plane * kPlaces + row * kOutWidth;
                for (std::int64_t column = 0; column < kOutWidth; ++column)@open@
@statements@@close@            }
        }
    }
    return 0;
}
)");

class ConvolutionCpu {
public:
    ConvolutionCpu(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                   const KernelNames &names)
        : m_graph(graph),
          m_plan(plan),
          m_kernel(kernel),
          m_names(names),
          m_sizes(kernel.convolution),
          m_type(kernel.leaves[0].type),
          m_isHalf(m_type == ElementType::Float16 || m_type == ElementType::BFloat16),
          m_compute(m_type == ElementType::Float64 ? QStringLiteral("double") : QStringLiteral("float")) {
        if (m_isHalf)
            m_functions = {QStringLiteral("toFloat-") + elementTypeName(m_type),
                           QStringLiteral("from-") + elementTypeName(m_type)};
    }

    QString run() {
        const bool isDepthwise = m_sizes.isDepthwise();
        const QString body = isDepthwise ? depthwise() : m_sizes.isTransposed ? phases() : gathered();
        const QString why =
            isDepthwise
                ? QStringLiteral(
                      "Each channel has filters of its own, so there is no product of matrices in it. A "
                      "row of the result is summed tap by tap, over neighbours in memory.")
            : m_sizes.isTransposed
                ? QStringLiteral(
                      "Of a transposed convolution with stride s only every s-th tap meets an output. "
                      "Outputs that are met by the same taps are taken together: for them each tap is "
                      "a product of matrices, with the input as it lies.")
                : QStringLiteral(
                      "What the places of a tile need is gathered as columns of a matrix, which stays "
                      "in the cache; the filters are the rows of another one, and BLAS multiplies.");
        QString text =
            QStringLiteral("// The CPU twin of %1.cu: the same contract, without the stream.\n//\n")
                .arg(m_names.stem) +
            anchorHead(m_kernel, m_names, why) +
            QLatin1String(
                "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n#include "
                "<vector>\n");
        if (!isDepthwise)
            text += QLatin1String("#if __has_include(<cblas.h>)\n#include <cblas.h>\n#endif\n");
        text += QLatin1String("\nnamespace {\n\n") + constants() +
                functionTexts(m_functions, TextDialect::VectorCpu);
        if (!isDepthwise)
            text += m_sizes.isTransposed ? accumulate() : multiply();
        return text + QLatin1String("} // namespace\n\n") + body;
    }

private:
    /// One of the three dimensions of space: 0 depth, 1 height, 2 width.
    std::int64_t space(const Shape &sizes, std::size_t which, std::size_t first, std::int64_t missing) const {
        const std::size_t absent = 3 - m_sizes.dimensions();
        return which < absent ? missing : sizes[first + which - absent];
    }
    std::int64_t input(std::size_t which) const { return space(m_sizes.input, which, 2, 1); }
    std::int64_t output(std::size_t which) const { return space(m_sizes.output, which, 2, 1); }
    QString inputStep(std::size_t which) const {
        return QString::number(space(m_sizes.inputStrides, which, 2, 0));
    }
    std::int64_t outOfGroup() const {
        return m_sizes.isTransposed ? m_sizes.weight[1] : m_sizes.weight[0] / m_sizes.groups;
    }
    std::int64_t inOfGroup() const { return m_sizes.input[1] / m_sizes.groups; }

    QString constants() const {
        QString text;
        const auto add = [&text](const char *name, std::int64_t value, const char *words = "") {
            text += QStringLiteral("constexpr std::int64_t %1 = %2;%3\n")
                        .arg(QLatin1String(name))
                        .arg(value)
                        .arg(*words == 0 ? QString() : QStringLiteral(" // ") + QLatin1String(words));
        };
        add("kImages", m_sizes.input[0]);
        if (m_sizes.isDepthwise()) {
            add("kChannels", m_sizes.output[1], "of the result");
            add("kFiltersPerChannel", outOfGroup());
        } else {
            add("kGroups", m_sizes.groups);
            add("kIn", inOfGroup(), "channels of a group");
            add("kOut", outOfGroup());
        }
        const char *words[3] = {"Depth", "Height", "Width"};
        for (std::size_t d = 0; d < 3; ++d)
            add(qPrintable(QStringLiteral("k") + QLatin1String(words[d])), input(d));
        for (std::size_t d = 0; d < 3; ++d)
            add(qPrintable(QStringLiteral("kOut") + QLatin1String(words[d])), output(d));
        const auto each = [&](const char *name, const Shape &sizes, std::int64_t missing) {
            for (std::size_t d = 0; d < 3; ++d)
                add(qPrintable(QLatin1String(name) + QLatin1Char("DHW"[d])), space(sizes, d, 0, missing));
        };
        each("kStride", m_sizes.stride, 1);
        each("kPadding", m_sizes.padding, 0);
        each("kDilation", m_sizes.dilation, 1);
        add("kTapsDown", space(m_sizes.weight, 1, 2, 1));
        add("kTapsAcross", space(m_sizes.weight, 2, 2, 1));
        add("kTaps", m_sizes.taps(), "of a filter, in one channel");
        if (m_sizes.isDepthwise() || m_sizes.isTransposed)
            text += QLatin1String("constexpr std::int64_t kPlaces = kOutDepth * kOutHeight * kOutWidth;\n");
        if (m_sizes.isTransposed)
            text += QLatin1String(
                "constexpr std::int64_t kPhaseWidth = (kOutWidth + kStrideW - 1) / kStrideW;\n");
        if (!m_sizes.isDepthwise() && !m_sizes.isTransposed) {
            const std::int64_t across = std::min(output(2), widestTile);
            const std::int64_t down =
                std::clamp<std::int64_t>(widestTile / output(2), 1, output(0) * output(1));
            text +=
                QStringLiteral(
                    "constexpr std::int64_t kInner = kIn * kTaps; // what is summed over\n"
                    "constexpr std::int64_t kPlaces = kOutDepth * kOutHeight * kOutWidth;\n"
                    "// A tile is some rows of the result, or a part of one.\n"
                    "constexpr std::int64_t kTileRows = %1;\nconstexpr std::int64_t kTileColumns = %2;\n"
                    "constexpr std::int64_t kTilePlaces = kTileRows * kTileColumns;\n"
                    "constexpr std::int64_t kTilesAcross = (kOutWidth + kTileColumns - 1) / kTileColumns;\n"
                    "constexpr std::int64_t kTiles = (kOutDepth * kOutHeight + kTileRows - 1) / kTileRows * "
                    "kTilesAcross;\n")
                    .arg(down)
                    .arg(across);
        }
        return text + QLatin1Char('\n');
    }

    QString letter() const {
        return m_compute == QLatin1String("double") ? QStringLiteral("d") : QStringLiteral("s");
    }
    QString zero() const {
        return m_compute == QLatin1String("double") ? QStringLiteral("0.0") : QStringLiteral("0.0f");
    }
    QString one() const {
        return m_compute == QLatin1String("double") ? QStringLiteral("1.0") : QStringLiteral("1.0f");
    }
    QString memory() const { return cTypeName(m_type, false); }
    QString value(const QString &element) const {
        return m_isHalf ? QStringLiteral("toFloat(%1)").arg(element) : element;
    }
    QString name(int buffer) const {
        return m_names.nameOf(buffer) + (m_isHalf ? QStringLiteral("Halves") : QString());
    }
    QString x() const {
        const QString text = name(m_kernel.leaves[0].buffer);
        return m_sizes.inputOffset == 0 ? text : QStringLiteral("%1 + %2").arg(text).arg(m_sizes.inputOffset);
    }
    QString weight() const { return name(m_kernel.leaves[1].buffer); }
    QString y() const { return name(m_kernel.stores[0].buffer); }

    QString head() const {
        QString text =
            wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                        launcherParameters(m_graph, m_plan, m_kernel, m_names) + QStringLiteral(", int"),
                        QStringLiteral(") {"));
        if (m_isHalf) {
            std::vector<std::pair<int, const char *>> all = {{m_kernel.leaves[0].buffer, "const "},
                                                             {m_kernel.leaves[1].buffer, "const "},
                                                             {m_kernel.stores[0].buffer, ""}};
            if (m_kernel.epilogue.bias >= 0)
                all.push_back(
                    {m_kernel.leaves[static_cast<std::size_t>(m_kernel.epilogue.bias)].buffer, "const "});
            for (const auto &[buffer, constant] : all)
                text += QStringLiteral("    %1%2 *const %3Halves = static_cast<%1%2 *>(%3);\n")
                            .arg(QLatin1String(constant), memory(), m_names.nameOf(buffer));
        }
        if (!m_sizes.isDepthwise())
            text += QLatin1String(
                "#ifdef OPENBLAS_VERSION\n"
                "    // The threads are ours. OpenBLAS has a pool of its own whose threads go on spinning "
                "for a while\n"
                "    // after a product: with both at work on the same cores this takes twice as long.\n"
                "    openblas_set_num_threads(1);\n#endif\n");
        return text;
    }

    QStringList epilogue(const QString &channel, const QString &sum, const QString &target) {
        QStringList counters(static_cast<qsizetype>(m_kernel.loops.size()), QString());
        counters[1] = channel;
        return epilogueStatements(
            m_kernel, [this](int buffer) { return name(buffer); }, counters, sum, target, m_functions);
    }

    static QString indented(const QStringList &lines, int depth) {
        QString text;
        for (const QString &line : lines)
            text +=
                wrapped(line, QString(4 * depth, QLatin1Char(' ')), QString(4 * depth + 4, QLatin1Char(' ')));
        return text;
    }

    QString gathered() {
        // Halves are summed in a tile of floats, others in the result itself.
        const QString result = m_isHalf
                                   ? QStringLiteral("sums.data()")
                                   : y() + QStringLiteral(" + ((image * kGroups + group) * kOut) * kPlaces + "
                                                          "firstPlace");
        const QString sum = m_isHalf ? QStringLiteral("sums[out * places + place]")
                                     : QStringLiteral("result[out * kPlaces + place]");
        const QString target = m_isHalf
                                   ? QStringLiteral("%1[((image * kGroups + group) * kOut + out) * kPlaces + "
                                                    "firstPlace + place]")
                                         .arg(y())
                                   : sum;
        const QStringList lines = epilogue(QStringLiteral("(group * kOut + out)"), sum, target);
        QString after;
        if (!lines.isEmpty())
            after =
                QStringLiteral("            for (std::int64_t out = 0; out < kOut; ++out)\n#pragma omp simd\n"
                               "                for (std::int64_t place = 0; place < places; ++place) {\n%1"
                               "                }\n")
                    .arg(indented(lines, 5));
        QString own;
        if (m_isHalf)
            own = QStringLiteral("        std::vector<float> sums(kOut * kTilePlaces);\n"
                                 "        std::vector<float> filters(kGroups * kOut * kInner);\n"
                                 "        for (std::size_t i = 0; i < filters.size(); ++i)\n"
                                 "            filters[i] = toFloat(%1[i]);\n")
                      .arg(weight());
        return filled(gatheredText, {{"head", head()},
                                     {"compute", m_compute},
                                     {"memory", memory()},
                                     {"zero", zero()},
                                     {"own", own},
                                     {"x", x()},
                                     {"stepN", QString::number(m_sizes.inputStrides[0])},
                                     {"stepC", QString::number(m_sizes.inputStrides[1])},
                                     {"stepD", inputStep(0)},
                                     {"stepH", inputStep(1)},
                                     {"value", value(element(QStringLiteral("w")))},
                                     {"result", QStringLiteral("            float *const result = %1;\n")
                                                    .arg(result)
                                                    .replace(QLatin1String("float"), m_compute)},
                                     {"weights", m_isHalf ? QStringLiteral("filters.data()") : weight()},
                                     {"epilogue", after}});
    }

    // An element of a row of the input.
    QString element(const QString &place) const {
        const QString step = inputStep(2);
        return step == QLatin1String("1") ? QStringLiteral("from[%1]").arg(place)
                                          : QStringLiteral("from[(%1) * %2]").arg(place, step);
    }

    QString multiply() const {
        return filled(multiplyText,
                      {{"compute", m_compute},
                       {"letter", letter()},
                       {"one", one()},
                       {"zero", zero()},
                       {"ldY", m_isHalf ? QStringLiteral("int(places)") : QStringLiteral("int(kPlaces)")}});
    }

    QString phases() {
        QString stored = QStringLiteral("from[column]");
        if (m_isHalf)
            stored = (m_type == ElementType::Float16 ? QStringLiteral("toHalf(%1)")
                                                     : QStringLiteral("toBFloat16(%1)"))
                         .arg(stored);
        return filled(phasesText,
                      {{"head", head()},
                       {"compute", m_compute},
                       {"memory", memory()},
                       {"zero", zero()},
                       {"filter", value(weight() + QStringLiteral("[(in * kOut + out) * kTaps + tap]"))},
                       {"x", x()},
                       {"y", y()},
                       {"stepN", QString::number(m_sizes.inputStrides[0])},
                       {"stepC", QString::number(m_sizes.inputStrides[1])},
                       {"stepD", inputStep(0)},
                       {"stepH", inputStep(1)},
                       {"stored", stored}});
    }

    QString accumulate() const {
        const QString step = QString::number(m_sizes.inputStrides[1]);
        const QString blas =
            m_isHalf ? QString()
                     : filled(accumulateBlas, {{"letter", letter()}, {"one", one()}, {"stepC", step}});
        return filled(accumulateText, {{"compute", m_compute},
                                       {"memory", memory()},
                                       {"blas", blas},
                                       {"value", value(QStringLiteral("input[in * %1 + place]").arg(step))},
                                       {"end", m_isHalf ? QString() : QStringLiteral("#endif\n")}});
    }

    QString depthwise() {
        const QStringList lines = epilogue(QStringLiteral("channel"), QStringLiteral("sums[column]"),
                                           QStringLiteral("%1[firstPlace + column]").arg(y()));
        const bool isBlock = lines.size() > 1;
        return filled(depthwiseText,
                      {{"head", head()},
                       {"compute", m_compute},
                       {"memory", memory()},
                       {"zero", zero()},
                       {"x", x()},
                       {"stepN", QString::number(m_sizes.inputStrides[0])},
                       {"stepC", QString::number(m_sizes.inputStrides[1])},
                       {"stepD", inputStep(0)},
                       {"stepH", inputStep(1)},
                       {"filter", value(weight() + QStringLiteral("[channel * kTaps + tap]"))},
                       {"value", value(element(QStringLiteral("column * kStrideW + left")))},
                       {"open", isBlock ? QStringLiteral(" {") : QString()},
                       {"statements", indented(lines, 5)},
                       {"close", isBlock ? QStringLiteral("                }\n") : QString()}});
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    const ConvolutionSizes &m_sizes;
    ElementType m_type;
    bool m_isHalf;
    QString m_compute;
    std::set<QString> m_functions;
};

} // namespace

QString convolutionCpuText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                           const KernelNames &names) {
    return ConvolutionCpu(graph, plan, kernel, names).run();
}

} // namespace warpwright
