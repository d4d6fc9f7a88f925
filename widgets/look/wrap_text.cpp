// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/wrap_text.h"

#include <QFontMetrics>
#include <QTextLayout>

namespace warpwright {

QStringList wrapText(const QString &text, const QFont &font, int width, int mostRows) {
    const QString words = text.simplified();
    QTextLayout layout(words, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    QStringList rows;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (rows.size() + 1 == mostRows && line.textStart() + line.textLength() < words.size()) {
            rows << QFontMetrics(font).elidedText(words.mid(line.textStart()), Qt::ElideRight, width);
            break;
        }
        rows << words.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return rows;
}

} // namespace warpwright
