// SPDX-License-Identifier: GPL-3.0-or-later
// Keys in main_window.h: where Tab goes, and how Esc leads back.
#include "app/ide/layout/keys_in.h"
#include "app/ide/main_window.h"
#include "app/ide/start_page.h"
#include "widgets/tab_order.h"

#include <QPointer>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>

namespace warpwright {
namespace {

/// Without those that are on their way out.
QWidgetList rowsNamed(const QWidget &page, const QString &name) {
    QWidgetList rows = page.findChildren<QWidget *>(name);
    rows.erase(std::remove_if(rows.begin(), rows.end(), [](const QWidget *row) { return row->isHidden(); }),
               rows.end());
    return rows;
}

} // namespace

QVariantList keysIn(const QWidget &page) {
    QWidget *row = page.focusWidget();
    if (row == nullptr || row->objectName().isEmpty())
        return {};
    return {row->objectName(), static_cast<int>(rowsNamed(page, row->objectName()).indexOf(row))};
}

bool MainWindow::focusNextPrevChild(bool next) {
    return focusNextStop(*this, next) || QWidget::focusNextPrevChild(next);
}

// To where the keys were: a page that was looked at in between is no reason to begin at the text again.
void MainWindow::backToWork() {
    if (!m_bench->workspace()) {
        // Its rows are read anew: the one that had the keys is known by its name and place.
        const QVariantList keys = m_start->property("keysWereAt").toList();
        if (keys.size() == 2)
            connect(
                m_start, &StartPage::filled, this,
                [this, name = keys.front().toString(), place = keys.back().toInt()] {
                    const QWidgetList rows = rowsNamed(*m_start, name);
                    if (place < 0 || place >= rows.size() || m_pages->currentWidget() != m_start)
                        return;
                    QWidget *again = rows[place]; // it is placed and shown first
                    QMetaObject::invokeMethod(
                        again, [again] { again->setFocus(Qt::TabFocusReason); }, Qt::QueuedConnection);
                },
                Qt::SingleShotConnection);
        return showStartPage();
    }
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
