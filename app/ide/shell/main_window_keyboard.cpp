// SPDX-License-Identifier: GPL-3.0-or-later
// Keys in main_window.h: where Tab goes, and how Esc leads back.
#include "app/ide/shell/main_window.h"
#include "app/ide/start/start_page.h"
#include "widgets/frame/tab_order.h"

#include <QPointer>
#include <QShortcut>
#include <QStackedWidget>

namespace warpwright {
bool MainWindow::focusNextPrevChild(bool next) {
    return focusNextStop(*this, next) || QWidget::focusNextPrevChild(next);
}

// To where the keys were: a page that was looked at in between is no reason to begin at the text again.
void MainWindow::backToWork() {
    if (!m_bench->workspace())
        return showStartPage();
    const QPointer<QWidget> before = m_workPage->focusWidget();
    showPage(m_workPage); // gives the keys to the candidate a moment later
    QMetaObject::invokeMethod(
        this,
        [before] {
            if (before && before->isVisible() && before->isEnabled())
                before->setFocus(Qt::OtherFocusReason);
        },
        Qt::QueuedConnection);
}

// With a workspace open it is a page like the others.
void MainWindow::connectKeyboard() {
    auto *escape = new QShortcut(Qt::Key_Escape, m_start);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, [this] {
        if (m_bench->workspace())
            backToWork();
    });
}

} // namespace warpwright
