// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/reading_keys.h"

#include <QAbstractScrollArea>
#include <QKeyEvent>
#include <QScrollBar>

namespace warpwright {
namespace {

class ReadingKeys : public QObject {
public:
    ReadingKeys(QWidget *button, QAbstractScrollArea &page) : QObject(button), m_page(page) {
        button->installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override {
        if (event->type() != QEvent::KeyPress)
            return QObject::eventFilter(watched, event);
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Up:
            return scroll(QAbstractSlider::SliderSingleStepSub);
        case Qt::Key_Down:
            return scroll(QAbstractSlider::SliderSingleStepAdd);
        case Qt::Key_PageUp:
            return scroll(QAbstractSlider::SliderPageStepSub);
        case Qt::Key_PageDown:
            return scroll(QAbstractSlider::SliderPageStepAdd);
        default:
            return QObject::eventFilter(watched, event);
        }
    }

private:
    bool scroll(QAbstractSlider::SliderAction how) const {
        m_page.verticalScrollBar()->triggerAction(how);
        return true;
    }

    QAbstractScrollArea &m_page;
};

} // namespace

void scrollByKeysOf(QWidget *button, QAbstractScrollArea &page) {
    new ReadingKeys(button, page);
}

} // namespace warpwright
