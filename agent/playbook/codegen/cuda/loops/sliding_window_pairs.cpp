// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/sliding_window_pairs.h"

#include "agent/playbook/codegen/cuda/loops/templates/sliding_window.h"
#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"

#include <QRegularExpression>

namespace warpwright {

QString unrolledLoop(const QString &counter, std::int64_t size, int indent, const QString &lines) {
    return QStringLiteral("#pragma unroll\n%1for (int %2 = 0; %2 < %3; ++%2) {\n%4%1}\n")
        .arg(QString(indent, QLatin1Char(' ')), counter)
        .arg(size)
        .arg(lines);
}

namespace {

QString forEachOf(const QString &head, const QString &lines, int indent) {
    QString inner = lines;
    inner.replace(QRegularExpression(QStringLiteral("^(?=.)(?!#)"), QRegularExpression::MultilineOption),
                  QString(4, QLatin1Char(' ')));
    return QStringLiteral("#pragma unroll\n%1for (int %2) {\n%3%1}\n")
        .arg(QString(indent, QLatin1Char(' ')), head, inner);
}

} // namespace

QString forEachAdjacent(const QString &lines, int indent) {
    return forEachOf(QStringLiteral("i = 0; i < kTileWidth; ++i"), lines, indent);
}

QString forEachPair(const QString &lines, int indent) {
    return forEachOf(QStringLiteral("pair = 0; pair < kTileWidth / 2; ++pair"), lines, indent);
}

QString vectorOfType(ElementType type, std::int64_t count) {
    return QStringLiteral("Vec<%1, %2>").arg(cTypeName(type, true)).arg(count);
}

QString windowPairsText(ElementType type, const std::set<QString> &functions) {
    const bool isHalf = type == ElementType::Float16;
    const auto made = [&](const QString &text, const QString &function = {}) {
        return fillTemplate(
            text, {{"type", cTypeName(type, true)},
                   {"pair", isHalf ? QStringLiteral("__half2") : QStringLiteral("__nv_bfloat162")},
                   {"function", function},
                   {"instruction", function == QLatin1String("maximum") ? QStringLiteral("__hmax2_nan")
                                                                        : QStringLiteral("__hmin2_nan")},
                   {"together",
                    isHalf ? QStringLiteral("__floats2half2_rn") : QStringLiteral("__floats2bfloat162_rn")},
                   {"float", isHalf ? QStringLiteral("__half2float") : QStringLiteral("__bfloat162float")}});
    };
    QString text = slidingPair + made(slidingElement);
    for (const QString &function : functions)
        text += made(slidingExtreme, function);
    return text + sizedVecText + slidingSplat;
}

QString absentPairs(ElementType type, int count, double value) {
    const unsigned infinity = type == ElementType::Float16 ? 0x7c007c00U : 0x7f807f80U;
    return QStringLiteral("splat<Pair, %1>({0x%2u})")
        .arg(count)
        .arg(value < 0 ? infinity | 0x80008000U : infinity, 0, 16);
}

QString pairsOfColumns(const QString &name, const QString &vecs, const RowVectors &parts,
                       std::int64_t columns, const QString &indent) {
    const auto pair = [&](const QString &number) {
        return parts.width == 2
                   ? QStringLiteral("%1[%2].at[0]").arg(vecs, number)
                   : QStringLiteral("%1[(%2) / %3].at[(%2) % %3]").arg(vecs, number).arg(parts.width / 2);
    };
    const QString inner = indent + QStringLiteral("    ");
    const QString further = inner + QStringLiteral("    ");
    return QStringLiteral(
               "%1Pair %2[%3]; // each column and the next one\n#pragma unroll\n"
               "%1for (int column = 0; column < %3; ++column) {\n%4const int position = column%5;\n")
               .arg(indent, name)
               .arg(columns - 1)
               .arg(inner, parts.lead == 0 ? QString() : QStringLiteral(" + %1").arg(parts.lead)) +
           wrapped(
               QStringLiteral("%1[column] = position % 2 == 0 ? %2 : pairBetween(%2, %3);")
                   .arg(name, pair(QStringLiteral("position / 2")), pair(QStringLiteral("position / 2 + 1"))),
               inner, further) +
           indent + QStringLiteral("}\n");
}

} // namespace warpwright
