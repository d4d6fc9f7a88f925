// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"

#include "agent/playbook/codegen/cuda/trig_range_reduction.h"

#include <QStringList>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int listed = 12; ///< operands in a line

QString wgmmaType(ElementType type) {
    return type == ElementType::Float16    ? QStringLiteral("f16")
           : type == ElementType::BFloat16 ? QStringLiteral("bf16")
                                           : QStringLiteral("tf32");
}

} // namespace

QString makeAnywayText(ElementType type, int elements) {
    QString body;
    if (type == ElementType::Float32) {
        QStringList each;
        for (int k = 0; k < elements; ++k)
            each << QStringLiteral("\"+f\"(vec.at[%1])").arg(k);
        body = QStringLiteral("    asm volatile(\"\" : %1);\n").arg(each.join(QLatin1String(", ")));
    } else {
        body = QStringLiteral("    %1 words;\n"
                              "    std::memcpy(&words, &vec, sizeof words);\n"
                              "    asm volatile(\"\" : %2);\n"
                              "    std::memcpy(&vec, &words, sizeof words);\n")
                   .arg(elements == 1 ? QStringLiteral("std::uint16_t") : QStringLiteral("uint2"),
                        elements == 1 ? QStringLiteral("\"+h\"(words)")
                                      : QStringLiteral("\"+r\"(words.x), \"+r\"(words.y)"));
    }
    return QStringLiteral(
               "// Computes the vector here, not behind the branch that follows: there the two warps that "
               "each quarter of the\n"
               "// SM has would wait for the result of every function.\n"
               "__device__ __forceinline__ void materialize(Vec &vec) {\n") +
           body + QStringLiteral("}\n\n");
}

QString loopOverVector(const QString &statements, int indent, const QString &count) {
    return QStringLiteral("#pragma unroll\n%1for (int k = 0; k < %3; ++k) {\n%2%1}\n")
        .arg(QString(indent, QLatin1Char(' ')), statements, count);
}

QString finishedVector(const QString &statements, int indent, const QString &count) {
    return withTrigRangeReduction(loopOverVector(statements, indent, count), indent);
}

QString wgmmaText(const Wgmma &matmul) {
    const int sums = matmul.columns / 2;
    const int registers = matmul.isFirstInRegisters ? 4 : 1; // for the first matrix
    const bool isHalf = matmul.type != ElementType::Float32;
    QString text = QStringLiteral("    asm volatile(\"{\\n.reg .pred p;\\nsetp.ne.b32 p, %%1, 0;\\n\"\n"
                                  "                 \"wgmma.mma_async.sync.aligned.m64n%2k%3.f32.%4.%4 {\"\n")
                       .arg(sums + registers + 1)
                       .arg(matmul.columns)
                       .arg(isHalf ? 16 : 8)
                       .arg(wgmmaType(matmul.type));
    for (int first = 0; first < sums; first += listed) {
        QStringList items;
        for (int i = first; i < std::min(first + listed, sums); ++i)
            items << QStringLiteral("%%1").arg(i);
        text += QStringLiteral("                 \"%1%2\"\n")
                    .arg(items.join(QLatin1String(", ")),
                         first + listed >= sums ? QString() : QStringLiteral(", "));
    }
    const QString taken =
        matmul.isFirstInRegisters
            ? QStringLiteral("{%%1, %%2, %%3, %%4}").arg(sums).arg(sums + 1).arg(sums + 2).arg(sums + 3)
            : QStringLiteral("%%1").arg(sums);
    const QString transposes = !isHalf                      ? QString()
                               : !matmul.isFirstInRegisters ? QStringLiteral(", %1, %2")
                                                                  .arg(matmul.isFirstTransposed ? 1 : 0)
                                                                  .arg(matmul.isSecondTransposed ? 1 : 0)
                               : matmul.isSecondTransposed ? QStringLiteral(", 1")
                                                           : QStringLiteral(", 0");
    text += QStringLiteral("                 \"}, %1, %%2, p, 1, 1%3;\\n}\"\n                 : ")
                .arg(taken)
                .arg(sums + registers)
                .arg(transposes);
    QStringList results;
    for (int i = 0; i < sums; ++i)
        results << (matmul.hasTiledSums ? QStringLiteral("\"+f\"(sums[%1][%2])").arg(i / 4).arg(i % 4)
                                        : QStringLiteral("\"+f\"(sums[%1])").arg(i));
    for (qsizetype i = 0; i < results.size(); i += listed / 2)
        text += (i == 0 ? QString() : QStringLiteral("                   ")) +
                results.mid(i, listed / 2).join(QLatin1String(", ")) +
                (i + listed / 2 < results.size() ? QStringLiteral(",\n") : QStringLiteral("\n"));
    const QString given = matmul.isFirstInRegisters
                              ? QStringLiteral("\"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3])")
                              : QStringLiteral("\"l\"(descA)");
    return text + QStringLiteral("                 : %1, \"l\"(descB), \"r\"(scaleD));\n").arg(given);
}

} // namespace warpwright
