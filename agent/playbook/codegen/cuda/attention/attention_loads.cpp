// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention_loads.h"

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/attention_loops.h"

#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t leastThreads = 128; ///< of a block
constexpr std::int64_t mostKeys = 128;     ///< of a tile; a multiple of the other tile sizes

/// The loop that loads keys (1) or values (2).
QString loadPart(const Kernel &kernel, const KernelNames &names, const AttentionWidths &widths,
                 std::size_t which) {
    const AttentionLoops loops(kernel);
    const ElementType type = kernel.inputs[0].type;
    const KernelInput &input = kernel.inputs[which];
    const bool isOfKeys = which == 1;
    const std::int64_t vec = 16 / bytesOf(type);
    const std::size_t counted = elementLoopOf(loops, which);
    const std::int64_t whole = isOfKeys ? widths.query : widths.value;
    const bool isFilledUp = whole != kernel.loops[counted];
    const QString width = isOfKeys ? QStringLiteral("kHeadDim") : QStringLiteral("kValueDim");
    const QString padded = isOfKeys ? QStringLiteral("kPaddedHeadDim") : QStringLiteral("kPaddedValueDim");
    const bool isWide = isInVectors(kernel, input.address, counted, vec);
    const QString ofRow = isWide ? QStringLiteral("%1 / %2").arg(padded).arg(vec) : padded;
    const QString times = isWide ? QStringLiteral(" * %1").arg(vec) : QString();
    // Where a thread has the same part of each key, what is the same for all keys is computed once.
    const std::int64_t vecs = whole / vec;
    const bool isShared = isWide && vecs <= leastThreads && (vecs & (vecs - 1)) == 0;
    QString text =
        (isShared
             ? QStringLiteral("#pragma unroll\n"
                              "        for (int i = threadIdx.x / (%1); i < KEYS; i += WARPS * 32 / (%1)) {\n"
                              "            const int at = threadIdx.x % (%1)%2;\n")
             : QStringLiteral("        for (int i = threadIdx.x; i < KEYS * (%1); i += WARPS * 32) {\n"
                              "            const int at = i % (%1)%2;\n"))
            .arg(ofRow, times);
    const QString inTile = isShared ? QStringLiteral("i") : QStringLiteral("i / (%1)").arg(ofRow);
    // No bounds check where all tiles are full.
    const bool isBounded = loops.keys % mostKeys != 0;
    QStringList conditions;
    if (isBounded)
        conditions << QStringLiteral("wanted < kKeys");
    if (isFilledUp)
        conditions << QStringLiteral("at < ") + width;
    text += QStringLiteral("            const int %1 = tile * KEYS + %2;\n")
                .arg(isBounded ? QStringLiteral("wanted") : QStringLiteral("key"), inTile);
    if (!conditions.isEmpty())
        text += QStringLiteral("            const bool isInBounds = %1;\n")
                    .arg(conditions.join(QLatin1String(" && ")));
    if (isBounded)
        text += QStringLiteral("            const int key = wanted < kKeys ? wanted : kKeys - 1;\n");
    text += indented(loops.keyLines(), 12);
    const QString to = isOfKeys ? QStringLiteral("keyTiles") : QStringLiteral("valueTiles");
    const QString pitch = isOfKeys ? QStringLiteral("kPitch") : QStringLiteral("kValuePitch");
    const QString target = QStringLiteral("%1[(stage * KEYS + %2) * %3 + at]").arg(to, inTile, pitch);
    const QString source = QStringLiteral("%1[%2]").arg(
        names.nameOf(input.buffer),
        addressWithout(input.address, counted, loops.counters,
                       isWide && isFilledUp ? QStringLiteral("(isInBounds ? at : 0)")
                                            : QStringLiteral("at")));
    const bool mayBeNone = !conditions.isEmpty();
    if (isWide)
        text += wrappedCall(
            QStringLiteral("            __pipeline_memcpy_async("),
            QStringLiteral("&%1, &%2, 16%3")
                .arg(target, source, mayBeNone ? QStringLiteral(", isInBounds ? 0 : 16") : QString()),
            QStringLiteral(");"));
    else
        text +=
            QStringLiteral("            %1 = %2;\n")
                .arg(target, mayBeNone
                                 ? QStringLiteral("isInBounds ? %1 : %2{}").arg(source, cTypeName(type, true))
                                 : source);
    return text + QLatin1String("        }\n");
}

} // namespace

QString boxCopies(const Kernel &kernel) {
    QString text = QStringLiteral("// TMA (the copy engine) loads a box, 64 elements of adjacent keys or "
                                  "values, zeros where out of bounds, and "
                                  "signals\n// the barrier.\n");
    for (const std::size_t batches :
         std::set<std::size_t>{batchLoopsOf(kernel, 1).size(), batchLoopsOf(kernel, 2).size()}) {
        QString parameters, positions, given;
        for (std::size_t i = 0; i < batches; ++i) {
            parameters += QStringLiteral(", int batch%1").arg(i);
            positions += QStringLiteral(", %%1").arg(5 + i);
            given += QStringLiteral(", \"r\"(batch%1)").arg(i);
        }
        text += QStringLiteral(
                    "__device__ __forceinline__ void tmaLoad(unsigned smem, const CUtensorMap *map, unsigned "
                    "barrier, int at,\n"
                    "                                        int key%1) {\n"
                    "    asm volatile(\"cp.async.bulk.tensor.%2d.shared::cluster.global.mbarrier::complete_"
                    "tx::bytes [%0], \"\n"
                    "                 \"[%1, {%3, %4%3}], [%2];\" ::\"r\"(smem),\n"
                    "                 \"l\"(map), \"r\"(barrier), \"r\"(at), \"r\"(key)%4\n"
                    "                 : \"memory\");\n}\n")
                    .replace(QLatin1String("key%1"), QLatin1String("key") + parameters)
                    .replace(QLatin1String("tensor.%2d"), QStringLiteral("tensor.%1d").arg(2 + batches))
                    .replace(QLatin1String("%4%3}"), QLatin1String("%4") + positions + QLatin1Char('}'))
                    .replace(QLatin1String("(key)%4"), QLatin1String("(key)") + given);
    }
    return text + QLatin1Char('\n');
}

QString boxLoads(const Kernel &kernel) {
    const AttentionLoops loops(kernel);
    QString text =
        QStringLiteral("    // A tile's keys, or values: one thread starts the load, and threads that use "
                       "them wait for their barrier.\n");
    for (const std::size_t input : {std::size_t(1), std::size_t(2)}) {
        const QString what = input == 1 ? QStringLiteral("key") : QStringLiteral("value");
        const QString name = input == 1 ? QStringLiteral("Key") : QStringLiteral("Value");
        QString batches;
        for (const std::size_t loop : batchLoopsOf(kernel, input))
            batches += QStringLiteral(", int(%1)").arg(loops.counters[static_cast<qsizetype>(loop)]);
        text +=
            QStringLiteral("    const auto load%1s = [&](int tile, unsigned stage) {\n"
                           "        if (threadIdx.x != 0)\n"
                           "            return;\n"
                           "        const unsigned barrier = %3Barriers + 8 * stage;\n"
                           "        mbarrierExpectTx(barrier, k%1Bytes);\n"
                           "#pragma unroll\n"
                           "        for (int i = 0; i < %2 / kRowElements; ++i)\n")
                .arg(name, input == 1 ? QStringLiteral("kPaddedHeadDim") : QStringLiteral("kPaddedValueDim"),
                     what) +
            wrappedCall(QStringLiteral("            tmaLoad("),
                        QStringLiteral("%1Tiles + stage * k%2Bytes + i * KEYS * 128, &%1Map, barrier, i * "
                                       "kRowElements, tile * KEYS%3")
                            .arg(what, name, batches),
                        QStringLiteral(");")) +
            QLatin1String("    };\n");
    }
    return text;
}

QString boxTensor(const Kernel &kernel, const KernelNames &names, std::size_t input) {
    const AttentionLoops loops(kernel);
    const KernelInput &from = kernel.inputs[input];
    QStringList sizes{QString::number(kernel.loops[elementLoopOf(loops, input)]), QStringLiteral("kKeys")};
    QStringList steps{QString::number(from.address.steps[loops.firstKey])};
    for (const std::size_t loop : batchLoopsOf(kernel, input)) {
        sizes << QString::number(kernel.loops[loop]);
        steps << QString::number(from.address.steps[loop]);
    }
    const QString offset =
        from.address.offset == 0 ? QString() : QStringLiteral(" + %1").arg(from.address.offset);
    return QStringLiteral("%1%2, {%3}, {%4}")
        .arg(names.nameOf(from.buffer), offset, sizes.join(QLatin1String(", ")),
             steps.join(QLatin1String(", ")));
}

QString threadLoads(const Kernel &kernel, const KernelNames &names, const AttentionWidths &widths) {
    QString text = QStringLiteral("    // Loads keys and values of one tile; zeros beyond the last ones.\n"
                                  "    const auto loadTile = [&](int tile, int stage) {\n") +
                   loadPart(kernel, names, widths, 1) + loadPart(kernel, names, widths, 2) +
                   QLatin1String("    };\n");
    text.replace(QLatin1String("(kPaddedHeadDim)"), QLatin1String("kPaddedHeadDim"));
    return text.replace(QLatin1String("(kPaddedValueDim)"), QLatin1String("kPaddedValueDim"));
}

bool isInVectors(const Kernel &kernel, const AffineExpr &address, std::size_t along, std::int64_t vec) {
    bool isSo = address.offset % vec == 0 && kernel.loops[along] % vec == 0;
    for (std::size_t k = 0; k < address.steps.size(); ++k)
        isSo = isSo && (k == along || address.steps[k] % vec == 0);
    return isSo;
}

QString addressWithout(const AffineExpr &address, std::size_t without, const QStringList &counters,
                       const QString &more) {
    AffineExpr some = address;
    some.steps[without] = 0;
    const QString position = indexExpression(some, counters);
    return position == QLatin1String("0") ? more : QStringLiteral("%1 + %2").arg(position, more);
}

QString indented(const QStringList &lines, int depth) {
    QString text;
    for (const QString &line : lines)
        text += wrapped(line, QString(depth, QLatin1Char(' ')), QString(depth + 4, QLatin1Char(' ')));
    return text;
}

} // namespace warpwright
