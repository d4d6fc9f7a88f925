// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_pages.h"

#include "app/ide/layout/presentation.h"
#include "app/ide/shell/window_docks.h"
#include "app/ide/start/start_page.h"
#include "app/ide/workbench/workbench.h"

#include <QPointer>
#include <QStackedWidget>

namespace warpwright {

WindowPages::WindowPages(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void WindowPages::add(QWidget *page) {
    m_parts.pageStack.addWidget(page);
}

void WindowPages::remove(QWidget *page) {
    m_parts.pageStack.removeWidget(page);
}

void WindowPages::show(QWidget *page) {
    if (page != &m_parts.workPage && m_presentation != nullptr)
        m_presentation->end();
    m_parts.pageStack.setCurrentWidget(page);
    // A page is one thing at a time: the docks belong to the four panes.
    if (page != &m_parts.workPage) {
        m_parts.docks.hide();
        page->setFocus();
        return;
    }
    if (m_presentation == nullptr || !m_presentation->isOn())
        m_parts.docks.show();
    emit cameToWork();
}

bool WindowPages::isOn(const QWidget *page) const {
    return m_parts.pageStack.currentWidget() == page;
}

bool WindowPages::isOnWork() const {
    return isOn(&m_parts.workPage);
}

bool WindowPages::isOnStart() const {
    return isOn(m_start);
}

void WindowPages::showWork() {
    if (!isOnWork())
        comeToWork();
}

void WindowPages::comeToWork() {
    show(&m_parts.workPage);
}

// To where the keys were: a page that was looked at in between is no reason to begin at the text again.
void WindowPages::backToWork() {
    if (!m_parts.bench.workspace())
        return showStart();
    const QPointer<QWidget> before = m_parts.workPage.focusWidget();
    comeToWork(); // gives the keys to the candidate a moment later
    QMetaObject::invokeMethod(
        this,
        [before] {
            if (before && before->isVisible() && before->isEnabled())
                before->setFocus(Qt::OtherFocusReason);
        },
        Qt::QueuedConnection);
}

void WindowPages::showStart() {
    m_start->setSettings(m_parts.bench.settings());
    m_start->refresh();
    show(m_start);
}

} // namespace warpwright
