// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_layout.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/state_keeper.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/kept_place.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/look/look.h"

#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int leastWithAgent = 960; // both columns of panes beside it, and the rail of the iterations

} // namespace

WindowLayout::WindowLayout(const WindowParts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void WindowLayout::keep(const KeptPlace &place) {
    m_place = &place;
    m_keeper = new StateKeeper(
        *m_parts.state, [this] { save(); }, this);
    connect(m_parts.bench, &Workbench::shownChanged, m_keeper, &StateKeeper::touch);
}

void WindowLayout::foldAnew() {
    m_widthClass = -1;
    foldForWidth();
}

void WindowLayout::restore() {
    const QByteArray geometry = m_parts.state->bytes(QStringLiteral("geometry"));
    if (!geometry.isEmpty())
        m_parts.window->restoreGeometry(geometry);
    m_parts.inner->restoreState(m_parts.state->bytes(QStringLiteral("docks")));
    m_parts.four->restoreState(m_parts.state->bytes(QStringLiteral("panes")));
    m_keptFolds = m_parts.state->bytes(QStringLiteral("folds"));
    m_widthClass = -1; // the docks fold anew when the window has the size that was restored
    for (const auto &[name, pane] : pagedPanes())
        pane->setCurrentPage(m_parts.state->bytes(name).toInt()); // the first where nothing was kept
    m_parts.profile->restorePage(m_parts.state->bytes(QStringLiteral("profilePage")));
}

QList<std::pair<QString, Pane *>> WindowLayout::pagedPanes() const {
    return {{QStringLiteral("buildPage"), m_parts.build}};
}

void WindowLayout::save() {
    if (!m_keepsLayout)
        return;
    m_parts.state->setBytes(QStringLiteral("geometry"), m_parts.window->saveGeometry());
    m_parts.state->setBytes(QStringLiteral("docks"), m_parts.pages->docksState());
    m_parts.state->setBytes(QStringLiteral("panes"), m_parts.four->saveState());
    for (const auto &[name, pane] : pagedPanes())
        m_parts.state->setBytes(name, QByteArray::number(pane->currentPage()));
    m_parts.state->setBytes(QStringLiteral("profilePage"), m_parts.profile->openPage().toUtf8());
    m_parts.state->setBytes(QStringLiteral("expertFirst"),
                            m_parts.actions->expertFirst->isChecked() ? "yes" : "");
    m_parts.state->setBytes(QStringLiteral("hidesHeat"), m_parts.actions->showHeat->isChecked() ? "" : "yes");
    emit saving();
    // Before its files are in the editors there is nothing new to tell of a workspace.
    if (m_parts.bench->workspace() && !m_parts.opener->after().place) {
        QJsonObject state = m_parts.candidate->saveState();
        // What was written to an agent and never read comes back into the box.
        state[QStringLiteral("unread")] = m_parts.agent->talk().unread();
        m_place->gather(state);
        m_parts.state->setWorkspace(m_parts.bench->workspace()->folder, state);
    }
    gatherWindow();
    m_keeper->write();
}

void WindowLayout::foldForWidth() {
    const int width = m_parts.window->width();
    const int widthClass = width < m_parts.look->px(1280) ? 0 : width < m_parts.look->px(1440) ? 1 : 2;
    if (widthClass == m_widthClass)
        return;
    // Only a change of class folds: what a person folded or unfolded at this size stays.
    m_widthClass = widthClass;
    if (unfoldAsKept(widthClass))
        return;
    // While an agent works its pane is where it asks, and bets are placed: the iterations yield first.
    const bool keepsAgent = m_parts.agent != nullptr && m_parts.agent->isRunning() &&
                            !m_parts.agentDock->isFolded() && width >= m_parts.look->px(leastWithAgent);
    m_parts.agentDock->setFolded(widthClass < 2 && !keepsAgent);
    m_parts.iterationsDock->setFolded(widthClass < 1 || (widthClass < 2 && keepsAgent));
    QList<QDockWidget *> docks;
    QList<int> widths;
    for (Dock *dock : {m_parts.iterationsDock, m_parts.agentDock})
        if (!dock->isFolded()) {
            docks << dock;
            widths << dock->usualWidth();
        }
    if (!docks.isEmpty())
        m_parts.inner->resizeDocks(docks, widths, Qt::Horizontal);
}

// Once, and only at the width that it was left at: for another the docks fold by the width.
bool WindowLayout::unfoldAsKept(int widthClass) {
    const QByteArrayList parts = std::exchange(m_keptFolds, {}).split(' ');
    if (!m_keepsLayout || parts.size() != 5 || parts[0].toInt() != widthClass)
        return false;
    QList<QDockWidget *> docks;
    QList<int> widths;
    for (const auto &[dock, place] :
         {std::pair{m_parts.iterationsDock, 1}, std::pair{m_parts.agentDock, 2}}) {
        dock->setFolded(parts[place].toInt() == 1);
        if (dock->isFolded())
            continue;
        docks << dock;
        widths << std::clamp(parts[place + 2].toInt(), dock->usualWidth() / 2, m_parts.window->width() / 2);
    }
    // Once more when all is laid out: before that there may be no room for them.
    const auto widen = [this, docks, widths] {
        if (!docks.isEmpty())
            m_parts.inner->resizeDocks(docks, widths, Qt::Horizontal);
    };
    widen();
    QMetaObject::invokeMethod(this, widen, Qt::QueuedConnection);
    return true;
}

// "2 0 1 248 312": the class of width, what is a rail, and how wide the docks are.
QByteArray WindowLayout::foldsNow() const {
    const QByteArray before = m_parts.state->bytes(QStringLiteral("folds"));
    if (m_parts.pages->hidesDocks() || m_widthClass < 0)
        return before; // a page hides them
    QByteArrayList parts{QByteArray::number(m_widthClass)};
    for (const Dock *dock : {m_parts.iterationsDock, m_parts.agentDock})
        parts << QByteArray::number(dock->isFolded() ? 1 : 0);
    for (const Dock *dock : {m_parts.iterationsDock, m_parts.agentDock})
        parts << QByteArray::number(dock->isFolded() ? dock->usualWidth() : dock->width());
    return parts.join(' ');
}

void WindowLayout::gatherWindow() {
    m_parts.state->setBytes(QStringLiteral("folds"), foldsNow());
    m_parts.state->setBytes(QStringLiteral("open"), m_parts.opener->openedPath().toUtf8());
}

void WindowLayout::keepNothing() {
    m_keepsLayout = false;
    m_parts.four->resetSizes();
}

} // namespace warpwright
