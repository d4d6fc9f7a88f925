// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/diff_text.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int linesAround = 3;

QString headOf(const ComparedFile &file) {
    using Kind = ComparedFile::Kind;
    const QString counts = QStringLiteral("+%1 -%2").arg(file.added).arg(file.removed);
    switch (file.kind) {
    case Kind::Added:
        return QStringLiteral("%1, new (%2)").arg(file.path, counts);
    case Kind::Removed:
        return QStringLiteral("%1, deleted (%2)").arg(file.path, counts);
    case Kind::LineEnds:
        return QStringLiteral("%1: only ends of lines differ").arg(file.path);
    case Kind::Binary:
        return QStringLiteral("%1 differs, and is no text to show").arg(file.path);
    case Kind::Same:
    case Kind::Changed:
        break;
    }
    return QStringLiteral("%1 (%2)").arg(file.path, counts);
}

/// Hunks whose surroundings touch are one part.
std::vector<ComparedHunk> parts(const ComparedFile &file) {
    std::vector<ComparedHunk> some;
    for (const ComparedHunk &hunk : file.hunks) {
        const int first = std::max(0, hunk.firstRow - linesAround);
        const int end =
            std::min(static_cast<int>(file.rows.size()), hunk.firstRow + hunk.rowCount + linesAround);
        if (!some.empty() && first <= some.back().firstRow + some.back().rowCount)
            some.back().rowCount = end - some.back().firstRow;
        else
            some.push_back({first, end - first});
    }
    return some;
}

QString partText(const ComparedFile &file, const ComparedHunk &part, const Terminal &terminal) {
    using Kind = ComparedRow::Kind;
    QString text;
    QString added; // after all that was removed in this run of rows
    int left = 0;
    int right = 0;
    const auto row = [](QChar sign, const QString &line) {
        return printable(QLatin1String("  ") + sign + line);
    };
    for (int i = part.firstRow; i < part.firstRow + part.rowCount; ++i) {
        const ComparedRow &one = file.rows[static_cast<std::size_t>(i)];
        left = left == 0 ? one.leftNumber : left;
        right = right == 0 ? one.rightNumber : right;
        if (one.kind == Kind::Same) {
            text += std::exchange(added, {}) + row(QLatin1Char(' '), one.left) + QLatin1Char('\n');
            continue;
        }
        if (one.leftNumber > 0)
            text += inked(terminal, Ink::Bad, row(QLatin1Char('-'), one.left)) + QLatin1Char('\n');
        if (one.rightNumber > 0)
            added += inked(terminal, Ink::Good, row(QLatin1Char('+'), one.right)) + QLatin1Char('\n');
    }
    return inked(terminal, Ink::Faint, QStringLiteral("  @@ -%1 +%2 @@").arg(left).arg(right)) +
           QLatin1Char('\n') + text + added;
}

} // namespace

QString diffStat(const TextComparison &comparison, const Terminal &terminal) {
    QString text;
    for (const ComparedFile &file : comparison.differing())
        text += inked(terminal, Ink::Strong, printableLine(headOf(file))) + QLatin1Char('\n');
    return text;
}

QString diffText(const TextComparison &comparison, const Terminal &terminal) {
    QString text;
    for (const ComparedFile &file : comparison.differing()) {
        text += inked(terminal, Ink::Strong, printableLine(headOf(file))) + QLatin1Char('\n');
        for (const ComparedHunk &part : parts(file))
            text += partText(file, part, terminal);
    }
    return text;
}

} // namespace warpwright
