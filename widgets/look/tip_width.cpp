// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/tip_width.h"

#include "widgets/look/look.h"

#include <QEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QScreen>

namespace warpwright {

TipWidth::TipWidth(const Look &look, QWidget *tip) : QObject(tip), m_look(look) {
    tip->installEventFilter(this);
}

bool TipWidth::eventFilter(QObject *watched, QEvent *event) {
    auto *tip = qobject_cast<QLabel *>(watched);
    const bool isPlaced = event->type() == QEvent::Resize || event->type() == QEvent::Show;
    if (tip == nullptr || !isPlaced || tip->wordWrap() || tip->width() <= m_look.px(most))
        return QObject::eventFilter(watched, event);
    // A name that has no place to break stays whole.
    static const QRegularExpression space(QStringLiteral("\\s+"));
    int longest = 0;
    for (const QString &word : tip->text().split(space, Qt::SkipEmptyParts))
        longest = std::max(longest, tip->fontMetrics().horizontalAdvance(word));
    const int frame = 2 * (tip->margin() + tip->frameWidth());
    const int width = std::min(tip->width(), std::max(m_look.px(most), longest + frame));
    if (width == tip->width())
        return false;
    tip->setWordWrap(true);
    tip->resize(width, tip->heightForWidth(width));
    if (const QScreen *screen = tip->screen(); tip->geometry().bottom() > screen->geometry().bottom())
        tip->move(tip->x(), screen->geometry().bottom() - tip->height());
    return false;
}

} // namespace warpwright
