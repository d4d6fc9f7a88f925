// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/sliding_windows_texts.h"

#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/codegen/loop_text.h"

#include <QRegularExpression>

namespace warpwright {

const QString slidingText = QStringLiteral(
    R"(constexpr int kDown = @downSize@; // windows below each other
constexpr int kStep = @step@; // rows from one of them to the next
constexpr int kTall = @tall@; // rows of each
constexpr int kAtOnce = @atOnce@; // windows of a thread
constexpr int kSlices = (kAtOnce - 1) * kStep + kTall; // rows that these have
@beside@constexpr int kStripsDown = (kDown - 1) / kAtOnce + 1;
constexpr std::int64_t kStrips = std::int64_t(@others@) * kStripsDown; // a thread each

@functions@@pack@@bounds@template <int THREADS>
__global__ void __launch_bounds__(THREADS@leastBlocks@)
@head@
    const std::int64_t strip = std::int64_t(blockIdx.x) * THREADS + threadIdx.x;
    if (strip >= kStrips)
        return;
@places@    const std::int64_t wanted = unsigned(strip)@overAcross@ % kStripsDown * kAtOnce;
    const std::int64_t first = wanted < kDown - kAtOnce ? wanted : kDown - kAtOnce; // the last ones overlap
@begin@#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
@elements@#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (slice >= k * kStep && slice < k * kStep + kTall) {
@taken@            }
        // A window is done with its last row, while that is near.
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (slice == k * kStep + kTall - 1) {
@results@            }
    }
}

} // namespace

@launcher@)");

const QString packsText = QStringLiteral(R"(// Neighbours that one instruction loads or stores.
template <typename T, int COUNT> struct alignas(sizeof(T) * COUNT) Pack {
    T at[COUNT];
};

)");

namespace {

const QString pairText = QStringLiteral(R"(// Two neighbours of 16 bits, as they lie in memory.
struct Pair {
    unsigned bits;
};

// The second one of a pair, and the first one of the next.
__device__ Pair between(Pair first, Pair second) {
    return {first.bits >> 16 | second.bits << 16};
}

)");

const QString elementText =
    QStringLiteral(R"([[maybe_unused]] __device__ float elementOf(Pair pair, int which) {
    const auto bits = static_cast<unsigned short>(pair.bits >> 16 * which);
    @type@ element;
    memcpy(&element, &bits, sizeof bits);
    return @float@(element);
}

)");

const QString extremeText =
    QStringLiteral(R"(// The same of two windows beside each other, by one instruction.
template <> [[maybe_unused]] __device__ Pair @function@(Pair a, Pair b) {
#if __CUDA_ARCH__ >= 800
    @pair@ first, second;
    memcpy(&first, &a, sizeof a);
    memcpy(&second, &b, sizeof b);
    const @pair@ both = @instruction@(first, second);
#else
    const @pair@ both = @together@(@function@(elementOf(a, 0), elementOf(b, 0)),
                                   @function@(elementOf(a, 1), elementOf(b, 1)));
#endif
    Pair result;
    memcpy(&result, &both, sizeof result);
    return result;
}

)");

const QString absentText = QStringLiteral(R"(// Neighbours that are not there.
template <typename T, int COUNT> __device__ Pack<T, COUNT> packOf(T value) {
    Pack<T, COUNT> pack;
#pragma unroll
    for (int k = 0; k < COUNT; ++k)
        pack.at[k] = value;
    return pack;
}

)");

} // namespace

QString unrolledLoop(const QString &counter, std::int64_t size, int indent, const QString &lines) {
    return QStringLiteral("#pragma unroll\n%1for (int %2 = 0; %2 < %3; ++%2) {\n%4%1}\n")
        .arg(QString(indent, QLatin1Char(' ')), counter)
        .arg(size)
        .arg(lines);
}

namespace {

QString overBeside(const QString &head, const QString &lines, int indent) {
    QString inner = lines;
    inner.replace(QRegularExpression(QStringLiteral("^(?=.)(?!#)"), QRegularExpression::MultilineOption),
                  QString(4, QLatin1Char(' ')));
    return QStringLiteral("#pragma unroll\n%1for (int %2) {\n%3%1}\n")
        .arg(QString(indent, QLatin1Char(' ')), head, inner);
}

} // namespace

QString besideEachOther(const QString &lines, int indent) {
    return overBeside(QStringLiteral("lane = 0; lane < kBeside; ++lane"), lines, indent);
}

QString overPairs(const QString &lines, int indent) {
    return overBeside(QStringLiteral("pair = 0; pair < kBeside / 2; ++pair"), lines, indent);
}

QString packOfType(ElementType type, std::int64_t count) {
    return QStringLiteral("Pack<%1, %2>").arg(cTypeName(type, true)).arg(count);
}

QString windowPairsText(ElementType type, const std::set<QString> &functions) {
    const bool isHalf = type == ElementType::Float16;
    const auto made = [&](const QString &text, const QString &function = {}) {
        return filled(
            text, {{"type", cTypeName(type, true)},
                   {"pair", isHalf ? QStringLiteral("__half2") : QStringLiteral("__nv_bfloat162")},
                   {"function", function},
                   {"instruction", function == QLatin1String("larger") ? QStringLiteral("__hmax2_nan")
                                                                       : QStringLiteral("__hmin2_nan")},
                   {"together",
                    isHalf ? QStringLiteral("__floats2half2_rn") : QStringLiteral("__floats2bfloat162_rn")},
                   {"float", isHalf ? QStringLiteral("__half2float") : QStringLiteral("__bfloat162float")}});
    };
    QString text = pairText + made(elementText);
    for (const QString &function : functions)
        text += made(extremeText, function);
    return text + packsText + absentText;
}

QString absentPairs(ElementType type, int count, double value) {
    const unsigned infinity = type == ElementType::Float16 ? 0x7c007c00U : 0x7f807f80U;
    return QStringLiteral("packOf<Pair, %1>({0x%2u})")
        .arg(count)
        .arg(value < 0 ? infinity | 0x80008000U : infinity, 0, 16);
}

QString pairsOfColumns(const QString &name, const QString &packs, const RowParts &parts, std::int64_t columns,
                       const QString &indent) {
    const auto pair = [&](const QString &number) {
        return parts.width == 2
                   ? QStringLiteral("%1[%2].at[0]").arg(packs, number)
                   : QStringLiteral("%1[(%2) / %3].at[(%2) % %3]").arg(packs, number).arg(parts.width / 2);
    };
    const QString inner = indent + QStringLiteral("    ");
    const QString further = inner + QStringLiteral("    ");
    return QStringLiteral("%1Pair %2[%3]; // each column with the next one\n#pragma unroll\n"
                          "%1for (int column = 0; column < %3; ++column) {\n%4const int place = column%5;\n")
               .arg(indent, name)
               .arg(columns - 1)
               .arg(inner, parts.lead == 0 ? QString() : QStringLiteral(" + %1").arg(parts.lead)) +
           wrapped(QStringLiteral("%1[column] = place % 2 == 0 ? %2 : between(%2, %3);")
                       .arg(name, pair(QStringLiteral("place / 2")), pair(QStringLiteral("place / 2 + 1"))),
                   inner, further) +
           indent + QStringLiteral("}\n");
}

} // namespace warpwright
