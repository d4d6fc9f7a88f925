// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_layout.h"

#include "app/ide/kit/actions.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/state_keeper.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/kept_place.h"
#include "app/ide/shell/window_docks.h"

#include <QAction>

namespace warpwright {

WindowLayout::WindowLayout(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {}

void WindowLayout::keep(const KeptPlace &place) {
    m_place = &place;
    m_keeper = new StateKeeper(
        m_parts.state, [this] { save(); }, this);
}

void WindowLayout::touch() {
    m_keeper->touch();
}

void WindowLayout::restore() {
    const WindowState &state = m_parts.state;
    const QByteArray geometry = state.bytes(QStringLiteral("geometry"));
    if (!geometry.isEmpty())
        m_window->restoreGeometry(geometry);
    m_parts.docks.restore(state.bytes(QStringLiteral("docks")), state.bytes(QStringLiteral("folds")));
    m_parts.four.restoreState(state.bytes(QStringLiteral("panes")));
    for (const auto &[name, pane] : pagedPanes())
        pane->setCurrentPage(state.bytes(name).toInt()); // the first where nothing was kept
    m_parts.profile.restorePage(state.bytes(QStringLiteral("profilePage")));
}

QList<std::pair<QString, Pane *>> WindowLayout::pagedPanes() const {
    return {{QStringLiteral("buildPage"), &m_parts.build}};
}

void WindowLayout::save() {
    if (!m_keepsLayout)
        return;
    WindowState &state = m_parts.state;
    state.setBytes(QStringLiteral("geometry"), m_window->saveGeometry());
    state.setBytes(QStringLiteral("docks"), m_parts.docks.state());
    state.setBytes(QStringLiteral("panes"), m_parts.four.saveState());
    for (const auto &[name, pane] : pagedPanes())
        state.setBytes(name, QByteArray::number(pane->currentPage()));
    state.setBytes(QStringLiteral("profilePage"), m_parts.profile.openPage().toUtf8());
    state.setBytes(QStringLiteral("expertFirst"), m_parts.actions.expertFirst->isChecked() ? "yes" : "");
    state.setBytes(QStringLiteral("hidesHeat"), m_parts.actions.showHeat->isChecked() ? "" : "yes");
    emit saving();
    m_place->save();
    if (const QByteArray folds = m_parts.docks.folds(); !folds.isEmpty())
        state.setBytes(QStringLiteral("folds"), folds);
    m_keeper->write();
}

void WindowLayout::keepNothing() {
    m_keepsLayout = false;
    m_parts.docks.forgetFolds();
    m_parts.four.resetSizes();
}

} // namespace warpwright
