// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_docks.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/layout/dock.h"
#include "widgets/look/look.h"

#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int leastWithAgent = 960; // both columns of panes beside it, and the rail of the iterations

} // namespace

WindowDocks::WindowDocks(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    // Larger text needs more room.
    connect(&m_parts.look, &Look::changed, this, &WindowDocks::foldForWidth);
    for (Dock *dock : {&m_parts.iterationsDock, &m_parts.agentDock})
        connect(dock, &Dock::foldAsked, this, [this, dock](bool isFolded) {
            dock->setFolded(isFolded);
            if (!isFolded)
                m_parts.inner.resizeDocks({dock}, {dock->usualWidth()}, Qt::Horizontal);
        });
}

void WindowDocks::hide() {
    m_isAway = true;
    if (m_hidden.isEmpty())
        m_before = m_parts.inner.saveState();
    for (Dock *dock : {&m_parts.iterationsDock, &m_parts.agentDock}) {
        if (dock->isVisibleTo(&m_parts.inner))
            m_hidden << dock;
        dock->hide();
    }
}

void WindowDocks::show() {
    m_isAway = false;
    for (Dock *dock : std::exchange(m_hidden, {}))
        dock->show();
}

QByteArray WindowDocks::state() const {
    return m_hidden.isEmpty() ? m_parts.inner.saveState() : m_before;
}

void WindowDocks::toggleIterations() {
    m_parts.iterationsDock.toggle();
}

void WindowDocks::toggleAgent() {
    m_parts.agentDock.toggle();
}

void WindowDocks::foldAnew() {
    m_widthClass = -1;
    foldForWidth();
}

void WindowDocks::reset() {
    for (Dock *dock : {&m_parts.iterationsDock, &m_parts.agentDock}) {
        dock->setFloating(false);
        dock->show();
    }
    m_parts.inner.addDockWidget(Qt::LeftDockWidgetArea, &m_parts.iterationsDock);
    m_parts.inner.addDockWidget(Qt::RightDockWidgetArea, &m_parts.agentDock);
    foldAnew();
    if (m_isAway) { // they come back with the panes
        m_hidden.clear();
        hide();
    }
}

void WindowDocks::restore(const QByteArray &state, const QByteArray &folds) {
    m_parts.inner.restoreState(state);
    m_keptFolds = folds;
    m_widthClass = -1; // the docks fold anew when the window has the size that was restored
}

void WindowDocks::foldForWidth() {
    const int width = m_window->width();
    const int widthClass = width < m_parts.look.px(1280) ? 0 : width < m_parts.look.px(1440) ? 1 : 2;
    if (widthClass == m_widthClass)
        return;
    // Only a change of class folds: what a person folded or unfolded at this size stays.
    m_widthClass = widthClass;
    if (unfoldAsKept(widthClass))
        return;
    // While an agent works its pane is where it asks, and bets are placed: the iterations yield first.
    const bool keepsAgent = m_agent != nullptr && m_agent->isRunning() && !m_parts.agentDock.isFolded() &&
                            width >= m_parts.look.px(leastWithAgent);
    m_parts.agentDock.setFolded(widthClass < 2 && !keepsAgent);
    m_parts.iterationsDock.setFolded(widthClass < 1 || (widthClass < 2 && keepsAgent));
    QList<QDockWidget *> docks;
    QList<int> widths;
    for (Dock *dock : {&m_parts.iterationsDock, &m_parts.agentDock})
        if (!dock->isFolded()) {
            docks << dock;
            widths << dock->usualWidth();
        }
    if (!docks.isEmpty())
        m_parts.inner.resizeDocks(docks, widths, Qt::Horizontal);
}

// Once, and only at the width that it was left at: for another the docks fold by the width.
bool WindowDocks::unfoldAsKept(int widthClass) {
    const QByteArrayList parts = std::exchange(m_keptFolds, {}).split(' ');
    if (m_ignoresFolds || parts.size() != 5 || parts[0].toInt() != widthClass)
        return false;
    QList<QDockWidget *> docks;
    QList<int> widths;
    for (const auto &[dock, place] :
         {std::pair{&m_parts.iterationsDock, 1}, std::pair{&m_parts.agentDock, 2}}) {
        dock->setFolded(parts[place].toInt() == 1);
        if (dock->isFolded())
            continue;
        docks << dock;
        widths << std::clamp(parts[place + 2].toInt(), dock->usualWidth() / 2, m_window->width() / 2);
    }
    // Once more when all is laid out: before that there may be no room for them.
    const auto widen = [this, docks, widths] {
        if (!docks.isEmpty())
            m_parts.inner.resizeDocks(docks, widths, Qt::Horizontal);
    };
    widen();
    QMetaObject::invokeMethod(this, widen, Qt::QueuedConnection);
    return true;
}

QByteArray WindowDocks::folds() const {
    if (areHidden() || m_widthClass < 0)
        return {}; // a page hides them
    QByteArrayList parts{QByteArray::number(m_widthClass)};
    for (const Dock *dock : {&m_parts.iterationsDock, &m_parts.agentDock})
        parts << QByteArray::number(dock->isFolded() ? 1 : 0);
    for (const Dock *dock : {&m_parts.iterationsDock, &m_parts.agentDock})
        parts << QByteArray::number(dock->isFolded() ? dock->usualWidth() : dock->width());
    return parts.join(' ');
}

} // namespace warpwright
