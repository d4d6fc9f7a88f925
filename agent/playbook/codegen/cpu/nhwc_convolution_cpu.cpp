// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/nhwc_convolution_cpu.h"

#include "agent/playbook/codegen/cpu/templates/nhwc_convolution.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/sm90_convolution.h"

namespace warpwright {
namespace {

// Where a result's row of taps meets the image: @row@ of the image, for a position of the result and a tap.
/// 1-D convolutions are 2-D ones of one row.
Shape spaceOf(const Shape &shape, std::size_t first, std::int64_t missing) {
    Shape space(shape.begin() + static_cast<std::ptrdiff_t>(first), shape.end());
    if (space.size() == 1)
        space.insert(space.begin(), missing);
    return space;
}

/// The input index along one dimension that an output index reads with a tap, or a jump to the next tap.
QString lineOf(const QString &name, const QString &position, const QString &tap, char letter,
               bool isTransposed) {
    const QString size = QLatin1Char('k') + name.at(0).toUpper() + name.mid(1);
    const QString end = QString(QLatin1Char(letter));
    if (!isTransposed)
        return QStringLiteral("const std::int64_t %1 = %2 * kStride%3 + %4 * kDilation%3 - kPadding%3;\n"
                              "if (%1 < 0 || %1 >= %5)\n    continue;")
            .arg(name, position, end, tap, size);
    return QStringLiteral("const std::int64_t %1At = %2 + kPadding%3 - %4 * kDilation%3;\n"
                          "const std::int64_t %1 = %1At / kStride%3;\n"
                          "if (%1At < 0 || %1At % kStride%3 != 0 || %1 >= %5)\n    continue;")
        .arg(name, position, end, tap, size);
}

} // namespace

QString nhwcConvolutionCpuText(const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const ConvolutionSizes &sizes = kernel.convolution()->sizes;
    const ElementType type = kernel.inputs[0].type;
    const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
    const QString memory = cTypeName(type, false);
    std::set<QString> functions;
    if (isHalf)
        functions.insert(QStringLiteral("toFloat-") + elementTypeName(type));
    const auto name = [&](int buffer) {
        return names.nameOf(buffer) + (isHalf ? QStringLiteral("Halves") : QString());
    };
    const auto value = [isHalf](const char *element) {
        return isHalf ? QStringLiteral("toFloat(%1)").arg(QLatin1String(element))
                      : QString::fromLatin1(element);
    };
    const auto filterName = [&](std::size_t inputIndex) {
        const std::int64_t offset = kernel.inputs[inputIndex].address.offset;
        return name(kernel.inputs[inputIndex].buffer) +
               (offset == 0 ? QString() : QStringLiteral(" + %1").arg(offset));
    };
    const bool isPair = secondSumOf(kernel) >= 0; // of one input
    const std::size_t dimensions = sizes.dimensions();
    const bool is3d = dimensions == 3;
    const bool isTransposed = sizes.isTransposed;
    QStringList counters = {QStringLiteral("image"), QStringLiteral("out")};
    if (is3d)
        counters << QStringLiteral("(row / kOutHeight % kOutDepth)");
    if (dimensions >= 2)
        counters << QStringLiteral("(row % kOutHeight)");
    counters << QStringLiteral("position");
    // A slice of a concatenation has a larger stride between positions than its own channels.
    const AffineExpr &target = kernel.stores[0].address;
    const QString resultStep = target.steps.back() == sizes.output[1] ? QStringLiteral("kOut")
                                                                      : QString::number(target.steps.back());
    // The epilogue of a kernel of ours may store anywhere.
    const bool isOwn = isSm90Convolution(kernel);
    const QString element =
        isOwn ? QStringLiteral("%1[%2]").arg(name(kernel.stores[0].buffer), indexExpression(target, counters))
              : QStringLiteral("result[position * %1 + out]").arg(resultStep);
    QString statements;
    for (const QString &line : epilogueStatements(
             kernel, name, counters, QStringLiteral("sums[position * kOut + out]"), element, functions))
        statements += wrapped(line, QString(20, QLatin1Char(' ')), QString(24, QLatin1Char(' ')));
    QString casts;
    if (isHalf)
        for (const int buffer : names.readBuffers)
            casts += QStringLiteral("    const %1 *const %2Halves = static_cast<const %1 *>(%2);\n")
                         .arg(memory, names.nameOf(buffer));
    if (isHalf)
        casts += QStringLiteral("    %1 *const %2Halves = static_cast<%1 *>(%2);\n")
                     .arg(memory, names.nameOf(kernel.stores[0].buffer));
    const Shape input = spaceOf(sizes.input, 2, 1);
    const Shape output = spaceOf(sizes.output, 2, 1);
    const Shape taps = spaceOf(sizes.weight, 2, 1);
    const Shape stride = spaceOf(sizes.stride, 0, 1);
    const Shape padding = spaceOf(sizes.padding, 0, 0);
    const Shape dilation = spaceOf(sizes.dilation, 0, 1);
    const auto number = [](const Shape &shape, std::size_t fromBehind) {
        return fromBehind < shape.size() ? QString::number(shape[shape.size() - 1 - fromBehind]) : QString();
    };
    const auto placed = [](const QString &lines, int depth) {
        return QString(lines).replace(QLatin1Char('\n'),
                                      QLatin1Char('\n') + QString(depth, QLatin1Char(' ')));
    };
    const QString head = wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(names.launcher()),
                                     launcherParameters(graph, program, names) + QStringLiteral(", int"),
                                     QStringLiteral(") {"));
    const int inner = is3d ? 20 : 16;
    const QString range = isTransposed ? QStringLiteral("kOutWidth") : QStringLiteral("kWidth");
    const QString other = isTransposed ? QStringLiteral("kWidth") : QStringLiteral("kOutWidth");
    return QStringLiteral("// The CPU twin of %1.cu: the same contract, without the stream.\n//\n")
               .arg(names.stem) +
           kernelHeadComment(
               kernel, names,
               QStringLiteral("With channels last a row of the result needs, for each tap, a row of the "
                              "input: a matrix (positions by channels) in place. BLAS multiplies it with "
                              "the tap's filters, and adds.")) +
           QLatin1String("#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n"
                         "#include <vector>\n#if __has_include(<cblas.h>)\n#include <cblas.h>\n#endif\n\n"
                         "namespace {\n\n") +
           fillTemplate(
               linesForDimensions(nhwcSizes, dimensions),
               {{"images", QString::number(sizes.input[0])},
                {"groups", QString::number(sizes.groups)},
                {"in", QString::number(sizes.input[1])},
                {"out", QString::number(sizes.output[1])},
                {"depth", number(input, 2)},
                {"height", number(input, 1)},
                {"width", number(input, 0)},
                {"outDepth", number(output, 2)},
                {"outHeight", number(output, 1)},
                {"outWidth", number(output, 0)},
                {"tapsDeep", number(taps, 2)},
                {"tapsDown", number(taps, 1)},
                {"tapsAcross", number(taps, 0)},
                {"taps", QString::number(sizes.taps())},
                {"strideD", number(stride, 2)},
                {"strideH", number(stride, 1)},
                {"strideW", number(stride, 0)},
                {"paddingD", number(padding, 2)},
                {"paddingH", number(padding, 1)},
                {"paddingW", number(padding, 0)},
                {"dilationD", number(dilation, 2)},
                {"dilationH", number(dilation, 1)},
                {"dilationW", number(dilation, 0)},
                {"fromStep", isTransposed ? QStringLiteral("kIn") : QStringLiteral("kIn * kStrideW")},
                {"sumStep", isTransposed ? QStringLiteral("kOut * kStrideW") : QStringLiteral("kOut")}}) +
           helperFunctions(functions, CodeDialect::VectorCpu) +
           fillTemplate(
               nhwcAccumulate,
               {{"blas", isHalf ? QString() : nhwcBlas},
                {"memory", memory},
                {"filterWords",
                 isTransposed ? QStringLiteral("[in, out]") : QStringLiteral("[out, in], transposed")},
                {"groupStep", isTransposed ? QStringLiteral("kGroupIn * kTaps * kGroupOut")
                                           : QStringLiteral("kGroupOut * kTaps * kGroupIn")},
                {"turned", isTransposed ? QStringLiteral("CblasNoTrans") : QStringLiteral("CblasTrans")},
                {"filterStep",
                 isTransposed ? QStringLiteral("kTaps * kGroupOut") : QStringLiteral("kTaps * kGroupIn")},
                {"from", value("x[position * kFromStep + in]")},
                {"filter", isTransposed ? value("w[in * kTaps * kGroupOut + out]")
                                        : value("w[out * kTaps * kGroupIn + in]")},
                {"end", isHalf ? QString() : QStringLiteral("#endif\n")}}) +
           QLatin1String("} // namespace\n\n") +
           fillTemplate(
               linesForDimensions(QString(nhwcLaunch)
                                      .replace(QLatin1String("@accumulateOther@"),
                                               isPair ? nhwcSecondConvolution : QString()),
                                  dimensions),
               {{"head", head.chopped(1)},
                {"others", isPair ? QStringLiteral(", others(kOutWidth * kOut)") : QString()},
                {"fillOthers",
                 isPair ? QStringLiteral("\n            std::fill(others.begin(), others.end(), 0.0f);")
                        : QString()},
                {"otherWeight", isPair ? filterName(2) : QString()},
                {"casts", casts},
                {"memory", memory},
                {"depthOf",
                 placed(lineOf(QStringLiteral("depth"), QStringLiteral("row / kOutHeight % kOutDepth"),
                               QStringLiteral("deep"), 'D', isTransposed),
                        16)},
                {"heightOf", placed(lineOf(QStringLiteral("height"), QStringLiteral("row % kOutHeight"),
                                           QStringLiteral("down"), 'H', isTransposed),
                                    inner)},
                {"firstOf",
                 QStringLiteral(
                     "const std::int64_t first = left < 0 ? (-left + kStrideW - 1) / kStrideW : 0;")},
                {"endOf",
                 QStringLiteral("const std::int64_t end =\n    left < %1 ? std::min(%2, (%1 - 1 - left) / "
                                "kStrideW + 1) : 0;")
                     .arg(range, other)
                     .replace(QLatin1Char('\n'), QLatin1Char('\n') + QString(inner + 4, QLatin1Char(' ')))},
                {"x", name(kernel.inputs[0].buffer)},
                {"rowOf", is3d ? QStringLiteral("((image * kDepth + depth) * kHeight + height)")
                               : QStringLiteral("(image * kHeight + height)")},
                {"fromPlace",
                 isTransposed ? QStringLiteral("first") : QStringLiteral("first * kStrideW + left")},
                {"sumPlace",
                 isTransposed ? QStringLiteral("(first * kStrideW + left)") : QStringLiteral("first")},
                {"weight", filterName(1)},
                {"tap", is3d ? QStringLiteral("((deep * kTapsDown + down) * kTapsAcross + across)")
                             : QStringLiteral("(down * kTapsAcross + across)")},
                {"tapStep", isTransposed ? QStringLiteral("kGroupOut") : QStringLiteral("kGroupIn")},
                {"result",
                 isOwn ? QString()
                       : QStringLiteral("            %1 *const result = %2%3 + row * kOutWidth * %4;\n")
                             .arg(memory, name(kernel.stores[0].buffer),
                                  target.offset == 0 ? QString() : QStringLiteral(" + %1").arg(target.offset),
                                  resultStep)},
                {"statements", statements}});
}

} // namespace warpwright
