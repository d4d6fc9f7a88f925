// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/im2col_convolution.h"

#include "agent/playbook/codegen/cpu/templates/im2col_convolution.h"
#include "agent/playbook/codegen/depthwise_boundary.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t widestTile = 512; ///< positions of the result per im2col tile

class Im2colConvolution : private KernelWriter {
public:
    explicit Im2colConvolution(const KernelSource &source)
        : KernelWriter(source),
          m_sizes(source.kernel.convolution()->sizes),
          m_type(source.kernel.inputs[0].type),
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
                ? QStringLiteral("Each channel has filters of its own, so there is no matmul in it. A "
                                 "row of the result is summed tap by tap, over neighbours in memory.")
            : m_sizes.isTransposed
                ? QStringLiteral(
                      "Of a transposed convolution with stride s only every s-th tap meets an output. "
                      "Outputs with the same taps (a phase) are computed together: for them each tap is "
                      "a matmul, with the input as it lies in memory.")
                : QStringLiteral(
                      "The windows of a tile are gathered as columns of a matrix (im2col), which stays "
                      "in the cache; the filters are the rows of another one, and BLAS multiplies.");
        QString text =
            QStringLiteral("// The CPU twin of %1.cu: the same contract, without the stream.\n//\n")
                .arg(m_names.stem) +
            kernelHeadComment(m_kernel, m_names, why) +
            QLatin1String(
                "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n#include "
                "<vector>\n");
        if (!isDepthwise)
            text += QLatin1String("#if __has_include(<cblas.h>)\n#include <cblas.h>\n#endif\n");
        text += QLatin1String("\nnamespace {\n\n") + constants() +
                helperFunctions(m_functions, CodeDialect::VectorCpu);
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
        const std::size_t first = m_sizes.dimensions() == 3 ? 0 : 1;
        for (std::size_t d = first; d < 3; ++d)
            add(qPrintable(QStringLiteral("k") + QLatin1String(words[d])), input(d));
        if (first == 0)
            add("kOutHeight", output(1));
        add("kOutRows", output(0) * output(1), "of a channel's result");
        add("kOutWidth", output(2));
        const auto each = [&](const char *name, const Shape &sizes, std::int64_t missing) {
            for (std::size_t d = first; d < 3; ++d)
                add(qPrintable(QLatin1String(name) + QLatin1Char("DHW"[d])), space(sizes, d, 0, missing));
        };
        each("kStride", m_sizes.stride, 1);
        each("kPadding", m_sizes.padding, 0);
        each("kDilation", m_sizes.dilation, 1);
        if (first == 0)
            add("kTapsDown", space(m_sizes.weight, 1, 2, 1));
        add("kTapsAcross", space(m_sizes.weight, 2, 2, 1));
        add("kTaps", m_sizes.taps(), "of a filter, in one channel");
        if (m_sizes.isDepthwise() || m_sizes.isTransposed)
            text += QLatin1String("constexpr std::int64_t kPositions = kOutRows * kOutWidth;\n");
        if (m_sizes.isTransposed)
            text += QLatin1String(
                "constexpr std::int64_t kPhaseWidth = (kOutWidth + kStrideW - 1) / kStrideW;\n");
        if (!m_sizes.isDepthwise() && !m_sizes.isTransposed) {
            const std::int64_t across = std::min(output(2), widestTile);
            const std::int64_t down =
                std::clamp<std::int64_t>(widestTile / output(2), 1, output(0) * output(1));
            text +=
                QStringLiteral(
                    "constexpr std::int64_t kInner = kIn * kTaps; // the reduction dimension K\n"
                    "constexpr std::int64_t kPositions = kOutRows * kOutWidth;\n"
                    "// A tile is some rows of the result, or a part of one.\n"
                    "constexpr std::int64_t kTileRows = %1;\nconstexpr std::int64_t kTileColumns = %2;\n"
                    "constexpr std::int64_t kTilePositions = kTileRows * kTileColumns;\n"
                    "constexpr std::int64_t kTilesAcross = (kOutWidth + kTileColumns - 1) / kTileColumns;\n"
                    "constexpr std::int64_t kTiles = (kOutRows + kTileRows - 1) / kTileRows * "
                    "kTilesAcross;\n")
                    .arg(down)
                    .arg(across);
        }
        return text + QLatin1Char('\n') + boundaryFunctions(m_sizes, QStringLiteral("std::int64_t"), false);
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
        const QString text = name(m_kernel.inputs[0].buffer);
        return m_sizes.inputOffset == 0 ? text : QStringLiteral("%1 + %2").arg(text).arg(m_sizes.inputOffset);
    }
    QString weight() const { return name(m_kernel.inputs[1].buffer); }
    QString y() const { return name(m_kernel.stores[0].buffer); }

    QString head() const {
        QString text = wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                   launcherParameters(m_graph, m_program, m_names) + QStringLiteral(", int"),
                                   QStringLiteral(") {"));
        if (m_isHalf) {
            std::vector<std::pair<int, const char *>> all;
            for (const int buffer : m_names.readBuffers)
                all.emplace_back(buffer, "const ");
            for (const int buffer : m_names.writtenBuffers)
                all.emplace_back(buffer, "");
            for (const auto &[buffer, constant] : all)
                text += QStringLiteral("    %1%2 *const %3Halves = static_cast<%1%2 *>(%3);\n")
                            .arg(QLatin1String(constant), memory(), m_names.nameOf(buffer));
        }
        if (!m_sizes.isDepthwise())
            text += QLatin1String(
                "#ifdef OPENBLAS_VERSION\n"
                "    // The threads are ours. OpenBLAS has a pool of its own whose threads go on spinning "
                "for a while\n"
                "    // after a GEMM: with both at work on the same cores this takes twice as long.\n"
                "    openblas_set_num_threads(1);\n#endif\n");
        return text;
    }

    QStringList epilogue(const QString &channel, const QString &sum, const QString &target) {
        QStringList counters(static_cast<qsizetype>(m_kernel.loops.size()), QString());
        counters[1] = channel;
        return epilogueStatements(
            m_kernel, [this](int buffer) { return name(buffer); }, counters, sum, target, m_functions);
    }

    static QString indented(const QStringList &lines, int depth) { return wrappedLines(lines, 4 * depth); }

    QString gathered() {
        // 16-bit types are summed in a tile of floats, others in the result itself.
        const QString result =
            m_isHalf ? QStringLiteral("sums.data()")
                     : y() + QStringLiteral(" + ((image * kGroups + group) * kOut) * kPositions + "
                                            "firstPosition");
        const QString sum = m_isHalf ? QStringLiteral("sums[out * positions + position]")
                                     : QStringLiteral("result[out * kPositions + position]");
        const QString target =
            m_isHalf ? QStringLiteral("%1[((image * kGroups + group) * kOut + out) * kPositions + "
                                      "firstPosition + position]")
                           .arg(y())
                     : sum;
        const QStringList lines = epilogue(QStringLiteral("(group * kOut + out)"), sum, target);
        QString after;
        if (!lines.isEmpty())
            after =
                QStringLiteral(
                    "            for (std::int64_t out = 0; out < kOut; ++out)\n#pragma omp simd\n"
                    "                for (std::int64_t position = 0; position < positions; ++position) {\n%1"
                    "                }\n")
                    .arg(indented(lines, 5));
        QString own;
        if (m_isHalf)
            own = QStringLiteral("        std::vector<float> sums(kOut * kTilePositions);\n"
                                 "        std::vector<float> filters(kGroups * kOut * kInner);\n"
                                 "        for (std::size_t i = 0; i < filters.size(); ++i)\n"
                                 "            filters[i] = toFloat(%1[i]);\n")
                      .arg(weight());
        return fillTemplate(linesForDimensions(im2colText, m_sizes.dimensions()),
                            {{"head", head()},
                             {"compute", m_compute},
                             {"memory", memory()},
                             {"zero", zero()},
                             {"own", own},
                             {"x", x()},
                             {"stepN", QString::number(m_sizes.inputStrides[0])},
                             {"stepC", QString::number(m_sizes.inputStrides[1])},
                             {"stepD", inputStep(0)},
                             {"stepH", inputStep(1)},
                             {"result", QStringLiteral("            float *const result = %1;\n")
                                            .arg(result)
                                            .replace(QLatin1String("float"), m_compute)},
                             {"weights", m_isHalf ? QStringLiteral("filters.data()") : weight()},
                             {"epilogue", after}});
    }

    // An element of a row of the input.
    QString element(const QString &position) const {
        const QString step = inputStep(2);
        return step == QLatin1String("1") ? QStringLiteral("from[%1]").arg(position)
                                          : QStringLiteral("from[(%1) * %2]").arg(position, step);
    }

    QString multiply() const {
        return fillTemplate(
            im2colRow + im2colMatmul,
            {{"compute", m_compute},
             {"memory", memory()},
             {"value", value(element(QStringLiteral("column * kStrideW + left")))},
             {"letter", letter()},
             {"one", one()},
             {"zero", zero()},
             {"ldY", m_isHalf ? QStringLiteral("int(positions)") : QStringLiteral("int(kPositions)")}});
    }

    QString phases() {
        QString stored = QStringLiteral("from[column]");
        if (m_isHalf)
            stored = (m_type == ElementType::Float16 ? QStringLiteral("toHalf(%1)")
                                                     : QStringLiteral("toBFloat16(%1)"))
                         .arg(stored);
        return fillTemplate(
            linesForDimensions(transposedConvolutionText, m_sizes.dimensions()),
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
        const QString blas = m_isHalf ? QString()
                                      : fillTemplate(transposedConvolutionBlas,
                                                     {{"letter", letter()}, {"one", one()}, {"stepC", step}});
        return fillTemplate(transposedConvolutionMatmul,
                            {{"compute", m_compute},
                             {"memory", memory()},
                             {"blas", blas},
                             {"value", value(QStringLiteral("input[in * %1 + position]").arg(step))},
                             {"end", m_isHalf ? QString() : QStringLiteral("#endif\n")}});
    }

    /// The input index of a tap along a dimension, behind «d =»; `text` may have a second line.
    QString tapIndexAlong(std::size_t which, QString text) const {
        const bool goesOn = boundedIndex(m_sizes, which, text) != text;
        const QString behind(goesOn ? 24 : 43, QLatin1Char(' '));
        text.replace(QLatin1Char('\n'), goesOn ? QStringLiteral(" ") : QLatin1Char('\n') + behind);
        return (goesOn ? QLatin1Char('\n') + behind : QStringLiteral(" ")) +
               boundedIndex(m_sizes, which, text);
    }

    /// The part of a tap's sum that reads beyond the borders of a row.
    QString boundaryColumns() const {
        const QString indent(20, QLatin1Char(' '));
        const QString body =
            indent +
            QStringLiteral("    sums[column] += filter * %1;\n")
                .arg(value(element(boundedIndex(m_sizes, 2, QStringLiteral("column * kStrideW + left")))));
        return indent + QStringLiteral("// Beyond the borders.\n") + indent +
               QStringLiteral(
                   "for (std::int64_t column = 0; column < std::min(first, kOutWidth); ++column)\n") +
               body + indent +
               QStringLiteral(
                   "for (std::int64_t column = std::max(first, last); column < kOutWidth; ++column)\n") +
               body;
    }

    /// The address of an element of a result.
    StoredElement depthwiseTarget(const KernelStore &store, QStringList counters, bool isByRows) const {
        QStringList conditions;
        for (std::size_t d = 0; d < store.every.size(); ++d) {
            QString &counter = counters[static_cast<qsizetype>(d)];
            if (store.every[d] == 1)
                continue;
            conditions << QStringLiteral("%1 % %2 == 0").arg(counter).arg(store.every[d]);
            counter = QStringLiteral("(%1 / %2)").arg(counter).arg(store.every[d]);
        }
        return {QStringLiteral("%1[%2]").arg(name(store.buffer),
                                             isByRows ? QStringLiteral("firstPosition + column")
                                                      : indexExpression(store.address, counters)),
                conditions.join(QLatin1String(" && "))};
    }

    QString depthwise() {
        QStringList counters = {QStringLiteral("image"), QStringLiteral("channel")};
        if (m_sizes.dimensions() == 2)
            counters << QStringLiteral("row");
        if (m_sizes.dimensions() == 3)
            counters << QStringLiteral("(row / kOutHeight)") << QStringLiteral("(row % kOutHeight)");
        counters << QStringLiteral("column");
        const bool isByRows = m_kernel.stores[0].address == AffineExpr{0, contiguousStrides(m_sizes.output)};
        std::vector<StoredElement> targets;
        for (const KernelStore &store : m_kernel.stores)
            targets.push_back(depthwiseTarget(store, counters, isByRows && targets.empty()));
        const QStringList lines = epilogueStatements(
            m_kernel,
            [&](int inputIndex) {
                const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(inputIndex)];
                return QStringLiteral("%1[%2]").arg(name(what.buffer),
                                                    indexExpression(what.address, counters));
            },
            QStringLiteral("sums[column]"), targets, m_functions, CodeDialect::VectorCpu);
        const bool isBlock = lines.size() > 1;
        return fillTemplate(
            linesForDimensions(depthwiseText, m_sizes.dimensions()),
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
             {"depthPlace", tapIndexAlong(0, QStringLiteral("row / kOutHeight * kStrideD - kPaddingD +\n"
                                                            "tap / kTapsAcross / kTapsDown * kDilationD"))},
             {"rowPlace",
              m_sizes.dimensions() == 3
                  ? tapIndexAlong(1, QStringLiteral("row % kOutHeight * kStrideH - kPaddingH +\n"
                                                    "tap / kTapsAcross % kTapsDown * kDilationH"))
                  : tapIndexAlong(
                        1, QStringLiteral("row * kStrideH - kPaddingH + tap / kTapsAcross * kDilationH"))},
             {"beside", hasWidthBoundary(m_sizes) ? boundaryColumns() : QString()},
             {"firstPosition",
              isByRows ? QStringLiteral("                const std::int64_t firstPosition = plane "
                                        "* kPositions + row * kOutWidth;\n")
                       : QString()},
             {"open", isBlock ? QStringLiteral(" {") : QString()},
             {"statements", indented(lines, 5)},
             {"close", isBlock ? QStringLiteral("                }\n") : QString()}});
    }

    const ConvolutionSizes &m_sizes;
    ElementType m_type;
    bool m_isHalf;
    QString m_compute;
    std::set<QString> m_functions;
};

} // namespace

QString convolutionCpuText(const KernelSource &source) {
    return Im2colConvolution(source).run();
}

} // namespace warpwright
