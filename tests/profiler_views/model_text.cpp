// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profiler_views/model_text.h"

#include <QAbstractItemModel>

QString modelText(const QAbstractItemModel &model) {
    QStringList lines;
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << model.headerData(column, Qt::Horizontal).toString();
    lines << cells.join(QStringLiteral(" | "));
    for (int row = 0; row < model.rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        lines << cells.join(QStringLiteral(" | "));
    }
    return lines.join(QLatin1Char('\n'));
}
