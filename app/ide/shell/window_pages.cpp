// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_pages.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/start/start_page.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/tab_strip.h"

#include <QMainWindow>
#include <QPointer>
#include <QStackedWidget>

#include <utility>

namespace warpwright {
namespace {

constexpr int buildPane = 2;
constexpr int profilePane = 3;

} // namespace

WindowPages::WindowPages(const WindowParts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void WindowPages::show(QWidget *page) {
    if (page != m_parts.workPage && m_parts.presentation != nullptr)
        m_parts.presentation->end();
    m_parts.pageStack->setCurrentWidget(page);
    // A page is one thing at a time: the docks belong to the four panes.
    if (page != m_parts.workPage) {
        hideDocks();
        page->setFocus();
        return;
    }
    if (m_parts.presentation == nullptr || !m_parts.presentation->isOn())
        showDocks();
    QMetaObject::invokeMethod(m_parts.candidate, &CandidatePanel::focusHere, Qt::QueuedConnection);
}

bool WindowPages::isOnWork() const {
    return m_parts.pageStack->currentWidget() == m_parts.workPage;
}

void WindowPages::showWork() {
    if (!isOnWork())
        show(m_parts.workPage);
}

// To where the keys were: a page that was looked at in between is no reason to begin at the text again.
void WindowPages::backToWork() {
    if (!m_parts.bench->workspace())
        return showStart();
    const QPointer<QWidget> before = m_parts.workPage->focusWidget();
    show(m_parts.workPage); // gives the keys to the candidate a moment later
    QMetaObject::invokeMethod(
        this,
        [before] {
            if (before && before->isVisible() && before->isEnabled())
                before->setFocus(Qt::OtherFocusReason);
        },
        Qt::QueuedConnection);
}

void WindowPages::showStart() {
    m_parts.start->setSettings(m_parts.bench->settings());
    m_parts.start->refresh();
    show(m_parts.start);
}

// What is gone to is in sight: a pane that is presented yields to it.
void WindowPages::presentInstead(int pane) {
    if (m_parts.presentation != nullptr && m_parts.presentation->isOn())
        m_parts.presentation->begin(pane);
}

void WindowPages::showPane(int pane) {
    presentInstead(pane);
    if (const int enlarged = m_parts.four->enlarged(); enlarged >= 0 && enlarged != pane)
        m_parts.four->enlarge(enlarged); // all alike again
}

void WindowPages::showBuild() {
    if (!m_parts.bench->workspace())
        return;
    showWork();
    showPane(buildPane);
}

void WindowPages::showProfilePage(const QString &name) {
    if (!m_parts.bench->workspace())
        return;
    showWork();
    showPane(profilePane);
    m_parts.profile->showPage(name);
    // After what show() has put off.
    QMetaObject::invokeMethod(
        m_parts.profile, [this] { m_parts.profile->tabs()->setFocus(Qt::OtherFocusReason); },
        Qt::QueuedConnection);
}

void WindowPages::hideDocks() {
    if (m_hiddenDocks.isEmpty())
        m_docksBefore = m_parts.inner->saveState();
    for (Dock *dock : {m_parts.iterationsDock, m_parts.agentDock}) {
        if (dock->isVisibleTo(m_parts.inner))
            m_hiddenDocks << dock;
        dock->hide();
    }
}

void WindowPages::showDocks() {
    for (Dock *dock : std::exchange(m_hiddenDocks, {}))
        dock->show();
}

QByteArray WindowPages::docksState() const {
    return m_hiddenDocks.isEmpty() ? m_parts.inner->saveState() : m_docksBefore;
}

} // namespace warpwright
