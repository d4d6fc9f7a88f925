// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/pane_walk.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"

#include <QAction>
#include <QApplication>

#include <utility>

namespace warpwright {

PaneWalk::PaneWalk(Parts parts, QObject *parent) : QObject(parent), m_parts(std::move(parts)) {
    connect(m_parts.actions.nextPane, &QAction::triggered, this, [this] { walk(1); });
    connect(m_parts.actions.previousPane, &QAction::triggered, this, [this] { walk(-1); });
}

void PaneWalk::walk(int by) {
    const QList<QWidget *> &rooms = m_parts.rooms;
    qsizetype now = -1;
    for (qsizetype i = 0; i < rooms.size(); ++i)
        if (rooms[i]->isAncestorOf(QApplication::focusWidget()))
            now = i;
    for (qsizetype tried = 0; tried < rooms.size(); ++tried) {
        now = (now + by + rooms.size()) % rooms.size();
        if (rooms[now] == &m_parts.candidate)
            return m_parts.candidate.focusHere(); // the text, not its tabs
        for (QWidget *child : rooms[now]->findChildren<QWidget *>())
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus) != 0) {
                child->setFocus(Qt::TabFocusReason);
                return;
            }
    }
}

} // namespace warpwright
