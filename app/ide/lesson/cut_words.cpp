// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/cut_words.h"

#include "widgets/tool_tip_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace warpwright {

CutWords::CutWords(const Look &look, TextRole role, const char *token, QWidget *parent, QFont::Weight weight)
    : Words(look, role, token, parent, weight) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString CutWords::shownText() const {
    return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
}

QSize CutWords::minimumSizeHint() const {
    return {0, Words::minimumSizeHint().height()};
}

bool CutWords::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || shownText() == text())
        return Words::event(event);
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), toolTipText(text()), this);
    return true;
}

void CutWords::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(contentsRect(), static_cast<int>(alignment() | Qt::TextSingleLine), shownText());
}

} // namespace warpwright
