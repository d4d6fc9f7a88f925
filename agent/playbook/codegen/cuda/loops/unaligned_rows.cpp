// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"

#include "agent/playbook/codegen/expression_printer.h"

namespace warpwright {

QStringList leadLines(const std::optional<UnalignedRows> &rows, const QStringList &counters) {
    if (!rows || !rows->hasLead())
        return {};
    return {QStringLiteral(
                "const int misalignment = (%1) % kWidth; // elements of the previous row in the first vector")
                .arg(indexExpression(rows->lead, counters))};
}

QStringList flatUnalignedVectorLines(const UnalignedRows &rows, const QString &ofRow) {
    return {QStringLiteral("const std::int64_t c = int(%1) * kWidth%2;")
                .arg(ofRow, rows.hasLead() ? QStringLiteral(" - misalignment") : QString()),
            QStringLiteral("if (c >= kColumns) // only rows that begin late in a vector have this one"),
            QStringLiteral("    continue;")};
}

QStringList fullVectorLines(const QString &threads) {
    return {QStringLiteral("// Known at compile time, except for the first and the last vector."),
            QStringLiteral("const bool isFullVector ="),
            QStringLiteral(
                "    (p > 0 || c >= 0) && ((p + 1) * %1 * kWidth <= kColumns || c + kWidth <= kColumns);")
                .arg(threads)};
}

QStringList unalignedElementGuard(bool isFunction, bool isKnown) {
    return {isFunction ? QStringLiteral("if (!isInBounds(k))")
            : isKnown  ? QStringLiteral("if (!isFullVector && unsigned(c + k) >= unsigned(kColumns))")
                       : QStringLiteral("if (unsigned(c + k) >= unsigned(kColumns))"),
            QStringLiteral("    continue;")};
}

QStringList fullOrPartialVectorLines(bool isKnown) {
    return {QStringLiteral("};"),
            isKnown
                ? QStringLiteral("if (isFullVector)")
                : QStringLiteral(
                      "if (c >= 0 && c + kWidth <= kColumns) // nearly always: no bounds check per element"),
            QStringLiteral("    process([](int) { return true; });"), QStringLiteral("else"),
            QStringLiteral("    process([c](int k) { return unsigned(c + k) < unsigned(kColumns); });")};
}

} // namespace warpwright
