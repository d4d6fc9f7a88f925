// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/depthwise_cuda.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/scalar_text.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longestSegment = 48; ///< elements that a thread holds of a row: beyond it they spill

const QString depthwiseText = QStringLiteral(R"(@head@#include <cuda_runtime.h>
@include@
#include <cmath>
#include <cstdint>

namespace {

@constants@
@functions@__global__ void __launch_bounds__(kThreads)
@signature@
    const std::int64_t strip = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
    if (strip >= kStrips)
        return;
@place@    const int firstColumn = across * kAcross;
    const @memory@ *const in = @x@ + image * std::int64_t(@stepN@) + channel / kFiltersPerChannel * std::int64_t(@stepC@);

    @compute@ sum[kAcross] = {};
@3@#pragma unroll@unrollD@
@3@    for (int tapD = 0; tapD < kTapsDeep; ++tapD) {
@3@        const int d = row / kOutHeight * kStrideD - kPaddingD + tapD * kDilationD;
#pragma unroll@unrollH@
@>@        for (int tapH = 0; tapH < kTapsDown; ++tapH) {
@3@            const int h = row % kOutHeight * kStrideH - kPaddingH + tapH * kDilationH;
@3@            if (d < 0 || d >= kDepth || h < 0 || h >= kHeight)
@2@        const int h = row * kStrideH - kPaddingH + tapH * kDilationH;
@2@        if (h < 0 || h >= kHeight)
@>@                continue; // padding
@3@            const @memory@ *const from = in + d * std::int64_t(@stepD@) + h * std::int64_t(@stepH@);
@2@        const @memory@ *const from = in + h * std::int64_t(@stepH@);
@>@            @compute@ segment[kSegment];
#pragma unroll
@>@            for (int i = 0; i < kSegment; ++i) {
@>@                const int w = firstColumn * kStrideW - kPaddingW + i;
@>@                segment[i] = w >= 0 && w < kWidth ? @value@ : @zero@;
@>@            }
#pragma unroll
@>@            for (int tapW = 0; tapW < kTapsAcross; ++tapW) {
@>@                const @compute@ filter = @filter@;
#pragma unroll
@>@                for (int i = 0; i < kAcross; ++i)
@>@                    sum[i] += filter * segment[i * kStrideW + tapW * kDilationW];
@>@            }
@>@        }
@3@    }
    @memory@ *const out = @y@ + ((image * std::int64_t(kChannels) + channel) * kOutRows + row) * kOutWidth + firstColumn;
#pragma unroll
    for (int i = 0; i < kAcross; ++i)
        if (firstColumn + i < kOutWidth)@open@
@statements@@close@}

} // namespace

// Returns 0, or a cudaError_t.
@launcher@
    constexpr unsigned kBlocks = static_cast<unsigned>((kStrips + kThreads - 1) / kThreads);
@call@    return cudaGetLastError();
}
)");

class DepthwiseCuda {
public:
    DepthwiseCuda(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                  const KernelNames &names)
        : m_graph(graph),
          m_plan(plan),
          m_kernel(kernel),
          m_names(names),
          m_sizes(kernel.convolution),
          m_type(kernel.leaves[0].type),
          m_isHalf(m_type == ElementType::Float16 || m_type == ElementType::BFloat16),
          m_isChannelsLast(m_sizes.inputStrides[1] == 1 && m_sizes.input[1] > 1),
          m_compute(m_type == ElementType::Float64 ? QStringLiteral("double") : QStringLiteral("float")) {
        const std::int64_t taps = space(m_sizes.weight, 2, 2, 1);
        m_across = std::min<std::int64_t>(m_isChannelsLast ? 8 : 4, m_sizes.output.back());
        while (m_across > 1 && segment(m_across, taps) > longestSegment)
            m_across /= 2;
        m_segment = segment(m_across, taps);
    }

    QString run() {
        QStringList counters(static_cast<qsizetype>(m_kernel.loops.size()), QString());
        counters[1] = QStringLiteral("channel");
        const QStringList statements = epilogue(counters);
        const QString launcher = wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                             launcherParameters(m_graph, m_plan, m_kernel, m_names) +
                                                 QStringLiteral(", int, cudaStream_t stream"),
                                             QStringLiteral(") {"));
        QStringList arguments;
        const auto pass = [&](int buffer, const char *constant) {
            arguments << (m_isHalf ? QStringLiteral("static_cast<%1%2 *>(%3)")
                                         .arg(QLatin1String(constant), memory(), m_names.nameOf(buffer))
                                   : m_names.nameOf(buffer));
        };
        for (const int buffer : m_names.readBuffers)
            pass(buffer, "const ");
        for (const int buffer : m_names.writtenBuffers)
            pass(buffer, "");
        const bool isBlock = statements.size() > 1;
        QString lines;
        for (const QString &line : statements)
            lines += wrapped(line, QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
        const auto unrolled = [](std::int64_t taps) {
            return taps <= 7 ? QString() : QStringLiteral(" 1");
        };
        return filled(
            ofDimensions(depthwiseText, m_sizes.dimensions()),
            {{"head", opening()},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : QString()},
             {"constants", constants()},
             {"functions", functionTexts(m_functions, TextDialect::Cuda)},
             {"signature", signature()},
             {"place", places()},
             {"memory", memory()},
             {"compute", m_compute},
             {"zero", m_compute == QLatin1String("double") ? QStringLiteral("0.0") : QStringLiteral("0.0f")},
             {"x", m_sizes.inputOffset == 0 ? m_names.nameOf(m_kernel.leaves[0].buffer)
                                            : QStringLiteral("%1 + %2")
                                                  .arg(m_names.nameOf(m_kernel.leaves[0].buffer))
                                                  .arg(m_sizes.inputOffset)},
             {"y", m_names.nameOf(m_kernel.stores[0].buffer)},
             {"stepN", QString::number(m_sizes.inputStrides[0])},
             {"stepC", QString::number(m_sizes.inputStrides[1])},
             {"stepD", QString::number(space(m_sizes.inputStrides, 0, 2, 0))},
             {"stepH", QString::number(space(m_sizes.inputStrides, 1, 2, 0))},
             {"value", value(QStringLiteral("from[w * %1]").arg(m_sizes.inputStrides.back()))},
             {"filter", value(m_names.nameOf(m_kernel.leaves[1].buffer) +
                              (m_sizes.dimensions() == 3
                                   ? QStringLiteral(
                                         "[channel * kTaps + (tapD * kTapsDown + tapH) * kTapsAcross + tapW]")
                                   : QStringLiteral("[channel * kTaps + tapH * kTapsAcross + tapW]")))},
             {"unrollD", unrolled(space(m_sizes.weight, 0, 2, 1))},
             {"unrollH", unrolled(space(m_sizes.weight, 1, 2, 1))},
             {"open", isBlock ? QStringLiteral(" {") : QString()},
             {"statements", lines},
             {"close", isBlock ? QStringLiteral("        }\n") : QString()},
             {"launcher", launcher.chopped(1)},
             {"call",
              wrappedCall(QStringLiteral("    %1<<<kBlocks, kThreads, 0, stream>>>(").arg(m_names.function),
                          arguments.join(QLatin1String(", ")), QStringLiteral(");"))}});
    }

private:
    std::int64_t space(const Shape &sizes, std::size_t which, std::size_t first, std::int64_t missing) const {
        const std::size_t absent = 3 - m_sizes.dimensions();
        return which < absent ? missing : sizes[first + which - absent];
    }
    std::int64_t segment(std::int64_t across, std::int64_t taps) const {
        return (across - 1) * m_sizes.stride.back() + (taps - 1) * m_sizes.dilation.back() + 1;
    }
    QString memory() const { return cTypeName(m_type, true); }
    QString value(const QString &element) const {
        return m_type == ElementType::Float16    ? QStringLiteral("__half2float(%1)").arg(element)
               : m_type == ElementType::BFloat16 ? QStringLiteral("__bfloat162float(%1)").arg(element)
                                                 : element;
    }

    QStringList epilogue(const QStringList &counters) {
        return epilogueStatements(
            m_kernel, [this](int buffer) { return m_names.nameOf(buffer); }, counters,
            QStringLiteral("sum[i]"), QStringLiteral("out[i]"), m_functions, TextDialect::Cuda);
    }

    QString opening() const {
        QString text = anchorHead(
            m_kernel, m_names,
            QStringLiteral(
                "Each channel has filters of its own: a few multiplications an element are nothing, so "
                "this is bound by memory. Each input is needed by many outputs; who keeps it meanwhile?"));
        text +=
            wrapped(QStringLiteral(
                        "1. A thread makes %1 neighbours of a row, and holds what they share of an input row "
                        "in registers.")
                        .arg(m_across),
                    QStringLiteral("//   "), QStringLiteral("//      "));
        text += wrapped(
            m_isChannelsLast
                ? QStringLiteral("2. The input's channels lie side by side, so the threads of a warp "
                                 "take neighbouring channels: they read whole lines of memory together, "
                                 "and each writes one whole sector.")
                : QStringLiteral("2. The threads of a warp take neighbours of the same rows: what they "
                                 "share, and the rows above and below, come from the cache."),
            QStringLiteral("//   "), QStringLiteral("//      "));
        return text;
    }

    QString constants() const {
        QString text;
        const auto add = [&text](const char *name, std::int64_t number, const char *words = "") {
            text += QStringLiteral("constexpr int %1 = %2;%3\n")
                        .arg(QLatin1String(name))
                        .arg(number)
                        .arg(*words == 0 ? QString() : QStringLiteral(" // ") + QLatin1String(words));
        };
        const std::int64_t multiplier = m_sizes.weight[0] / m_sizes.groups;
        add("kChannels", m_sizes.output[1], "of the result");
        add("kFiltersPerChannel", multiplier);
        const char *words[3] = {"kDepth", "kHeight", "kWidth"};
        const std::size_t first = m_sizes.dimensions() == 3 ? 0 : 1;
        for (std::size_t d = first; d < 3; ++d)
            add(words[d], space(m_sizes.input, d, 2, 1));
        const std::int64_t rows = space(m_sizes.output, 0, 2, 1) * space(m_sizes.output, 1, 2, 1);
        if (first == 0)
            add("kOutHeight", space(m_sizes.output, 1, 2, 1));
        add("kOutRows", rows, "of a channel's result");
        add("kOutWidth", m_sizes.output.back());
        const auto each = [&](const char *name, const Shape &sizes, std::int64_t missing) {
            for (std::size_t d = first; d < 3; ++d)
                add(qPrintable(QLatin1String(name) + QLatin1Char("DHW"[d])), space(sizes, d, 0, missing));
        };
        each("kStride", m_sizes.stride, 1);
        each("kPadding", m_sizes.padding, 0);
        each("kDilation", m_sizes.dilation, 1);
        if (first == 0)
            add("kTapsDeep", space(m_sizes.weight, 0, 2, 1));
        add("kTapsDown", space(m_sizes.weight, 1, 2, 1));
        add("kTapsAcross", space(m_sizes.weight, 2, 2, 1));
        add("kTaps", m_sizes.taps(), "of a filter");
        add("kAcross", m_across, "neighbours of a row that one thread makes: a strip");
        add("kSegment", m_segment, "elements of an input row that a strip needs");
        add("kStripsAcross", (m_sizes.output.back() + m_across - 1) / m_across);
        text += QStringLiteral("constexpr std::int64_t kStrips = std::int64_t(%1) * kChannels * kOutRows * "
                               "kStripsAcross;\nconstexpr int kThreads = 256;\n")
                    .arg(m_sizes.input[0]);
        return text;
    }

    QString places() const {
        return m_isChannelsLast
                   ? QStringLiteral("    const int channel = strip % kChannels;\n"
                                    "    const int across = strip / kChannels % kStripsAcross;\n"
                                    "    const int row = strip / kChannels / kStripsAcross % kOutRows;\n"
                                    "    const int image = strip / kChannels / kStripsAcross / kOutRows;\n")
                   : QStringLiteral("    const int across = strip % kStripsAcross;\n"
                                    "    const int row = strip / kStripsAcross % kOutRows;\n"
                                    "    const int channel = strip / kStripsAcross / kOutRows % kChannels;\n"
                                    "    const int image = strip / kStripsAcross / kOutRows / kChannels;\n");
    }

    QString signature() const {
        QStringList parameters;
        for (const int buffer : m_names.readBuffers)
            parameters << QStringLiteral("const %1 *__restrict__ %2").arg(memory(), m_names.nameOf(buffer));
        for (const int buffer : m_names.writtenBuffers)
            parameters << QStringLiteral("%1 *__restrict__ %2").arg(memory(), m_names.nameOf(buffer));
        return wrappedCall(QStringLiteral("    %1(").arg(m_names.function),
                           parameters.join(QLatin1String(", ")), QStringLiteral(") {"))
            .chopped(1);
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    const ConvolutionSizes &m_sizes;
    ElementType m_type;
    bool m_isHalf;
    bool m_isChannelsLast;
    QString m_compute;
    std::int64_t m_across = 1;
    std::int64_t m_segment = 1;
    std::set<QString> m_functions;
};

} // namespace

QString depthwiseCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                          const KernelNames &names) {
    return DepthwiseCuda(graph, plan, kernel, names).run();
}

} // namespace warpwright
