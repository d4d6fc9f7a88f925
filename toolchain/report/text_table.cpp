// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/text_table.h"

#include <algorithm>

namespace warpwright {

QString TextTable::text(const Terminal &terminal, int indent) const {
    std::vector<qsizetype> widths;
    for (const Row &row : m_rows) {
        widths.resize(std::max(widths.size(), static_cast<std::size_t>(row.cells.size())));
        for (qsizetype column = 0; column < row.cells.size(); ++column) {
            qsizetype &width = widths[static_cast<std::size_t>(column)];
            width = std::max(width, row.cells[column].size());
        }
    }
    QString text;
    for (const Row &row : m_rows) {
        QString line;
        for (qsizetype column = 0; column < row.cells.size(); ++column) {
            const auto width = widths[static_cast<std::size_t>(column)];
            const bool isRight =
                std::find(m_right.begin(), m_right.end(), static_cast<int>(column)) != m_right.end();
            const bool isLast = column + 1 == row.cells.size();
            QString cell = row.cells[column];
            if (isRight)
                cell = cell.rightJustified(width);
            else if (!isLast)
                cell = cell.leftJustified(width);
            line += (column == 0 ? QString() : QStringLiteral("   ")) + cell;
        }
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
        text += QString(indent, QLatin1Char(' ')) + inked(terminal, row.ink, line) + QLatin1Char('\n');
    }
    return text;
}

} // namespace warpwright
