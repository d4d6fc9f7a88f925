// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/channels_last_cpu.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/scalar_text.h"

namespace warpwright {
namespace {

const QString sizesText = QStringLiteral(R"(constexpr std::int64_t kImages = @images@;
constexpr std::int64_t kIn = @in@; // channels
constexpr std::int64_t kOut = @out@;
constexpr std::int64_t kHeight = @height@;
constexpr std::int64_t kWidth = @width@;
constexpr std::int64_t kOutHeight = @outHeight@;
constexpr std::int64_t kOutWidth = @outWidth@;
constexpr std::int64_t kTapsDown = @tapsDown@;
constexpr std::int64_t kTapsAcross = @tapsAcross@;
constexpr std::int64_t kStrideH = @strideH@;
constexpr std::int64_t kStrideW = @strideW@;
constexpr std::int64_t kPaddingH = @paddingH@;
constexpr std::int64_t kPaddingW = @paddingW@;
constexpr std::int64_t kDilationH = @dilationH@;
constexpr std::int64_t kDilationW = @dilationW@;

)");

const QString accumulateText =
    QStringLiteral(R"(// sums[places, out] += from[places, in] times filters[out, in], transposed.
void accumulate(const @memory@ *from, const @memory@ *filters, float *sums, std::int64_t places) {
@blas@    for (std::int64_t place = 0; place < places; ++place)
        for (std::int64_t out = 0; out < kOut; ++out) {
            float sum = 0.0f;
            for (std::int64_t in = 0; in < kIn; ++in)
                sum += @from@ * @filter@;
            sums[place * kOut + out] += sum;
        }
@end@}

)");

const QString blasText = QStringLiteral(R"(#if __has_include(<cblas.h>)
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, int(places), int(kOut), int(kIn), 1.0f, from,
                int(kIn * kStrideW), filters, int(kTapsDown * kTapsAcross * kIn), 1.0f, sums, int(kOut));
#else
)");

const QString launchText = QStringLiteral(R"(@head@
@casts@#ifdef OPENBLAS_VERSION
    openblas_set_num_threads(1); // the threads are ours
#endif
#pragma omp parallel
    {
        std::vector<float> sums(kOutWidth * kOut); // of a row of the result
#pragma omp for schedule(dynamic)
        for (std::int64_t row = 0; row < kImages * kOutHeight; ++row) {
            const std::int64_t image = row / kOutHeight;
            std::fill(sums.begin(), sums.end(), 0.0f);
            for (std::int64_t down = 0; down < kTapsDown; ++down) {
                const std::int64_t height = row % kOutHeight * kStrideH + down * kDilationH - kPaddingH;
                if (height < 0 || height >= kHeight)
                    continue;
                for (std::int64_t across = 0; across < kTapsAcross; ++across) {
                    // Places of the result whose input is no padding.
                    const std::int64_t left = across * kDilationW - kPaddingW;
                    const std::int64_t first = left < 0 ? (-left + kStrideW - 1) / kStrideW : 0;
                    const std::int64_t end =
                        left < kWidth ? std::min(kOutWidth, (kWidth - 1 - left) / kStrideW + 1) : 0;
                    if (first >= end)
                        continue;
                    accumulate(@x@ + ((image * kHeight + height) * kWidth + first * kStrideW + left) * kIn,
                               @weight@ + (down * kTapsAcross + across) * kIn, sums.data() + first * kOut,
                               end - first);
                }
            }
            @memory@ *const result = @y@ + row * kOutWidth * kOut;
            for (std::int64_t place = 0; place < kOutWidth; ++place)
                for (std::int64_t out = 0; out < kOut; ++out) {
@statements@                }
        }
    }
    return 0;
}
)");

} // namespace

QString channelsLastCpuText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                            const KernelNames &names) {
    const ConvolutionSizes &sizes = kernel.convolution;
    const ElementType type = kernel.leaves[0].type;
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
    const QStringList counters = {QStringLiteral("image"), QStringLiteral("out"),
                                  QStringLiteral("(row % kOutHeight)"), QStringLiteral("place")};
    QString statements;
    for (const QString &line :
         epilogueStatements(kernel, name, counters, QStringLiteral("sums[place * kOut + out]"),
                            QStringLiteral("result[place * kOut + out]"), functions))
        statements += wrapped(line, QString(20, QLatin1Char(' ')), QString(24, QLatin1Char(' ')));
    QString casts;
    if (isHalf)
        for (const int buffer : names.readBuffers)
            casts += QStringLiteral("    const %1 *const %2Halves = static_cast<const %1 *>(%2);\n")
                         .arg(memory, names.nameOf(buffer));
    if (isHalf)
        casts += QStringLiteral("    %1 *const %2Halves = static_cast<%1 *>(%2);\n")
                     .arg(memory, names.nameOf(kernel.stores[0].buffer));
    const auto number = [](const Shape &shape, std::size_t at) {
        return QString::number(shape[at]);
    };
    const QString head = wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(names.launcher()),
                                     launcherParameters(graph, plan, kernel, names) + QStringLiteral(", int"),
                                     QStringLiteral(") {"));
    const QString input = name(kernel.leaves[0].buffer);
    return QStringLiteral("// The CPU twin of %1.cu: the same contract, without the stream.\n//\n")
               .arg(names.stem) +
           anchorHead(
               kernel, names,
               QStringLiteral("With channels last a row of the result needs, for each tap, a row of the "
                              "input: places by channels, a matrix as it lies. BLAS multiplies it with "
                              "the tap's filters, and adds.")) +
           QLatin1String("#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n"
                         "#include <vector>\n#if __has_include(<cblas.h>)\n#include <cblas.h>\n#endif\n\n"
                         "namespace {\n\n") +
           filled(sizesText, {{"images", number(sizes.input, 0)},
                              {"in", number(sizes.input, 1)},
                              {"out", number(sizes.output, 1)},
                              {"height", number(sizes.input, 2)},
                              {"width", number(sizes.input, 3)},
                              {"outHeight", number(sizes.output, 2)},
                              {"outWidth", number(sizes.output, 3)},
                              {"tapsDown", number(sizes.weight, 2)},
                              {"tapsAcross", number(sizes.weight, 3)},
                              {"strideH", number(sizes.stride, 0)},
                              {"strideW", number(sizes.stride, 1)},
                              {"paddingH", number(sizes.padding, 0)},
                              {"paddingW", number(sizes.padding, 1)},
                              {"dilationH", number(sizes.dilation, 0)},
                              {"dilationW", number(sizes.dilation, 1)}}) +
           functionTexts(functions, TextDialect::VectorCpu) +
           filled(accumulateText, {{"blas", isHalf ? QString() : blasText},
                                   {"memory", memory},
                                   {"from", value("from[place * kStrideW * kIn + in]")},
                                   {"filter", value("filters[out * kTapsDown * kTapsAcross * kIn + in]")},
                                   {"end", isHalf ? QString() : QStringLiteral("#endif\n")}}) +
           QLatin1String("} // namespace\n\n") +
           filled(launchText, {{"head", head.chopped(1)},
                               {"casts", casts},
                               {"memory", memory},
                               {"x", input},
                               {"weight", name(kernel.leaves[1].buffer)},
                               {"y", name(kernel.stores[0].buffer)},
                               {"statements", statements}});
}

} // namespace warpwright
