// SPDX-License-Identifier: GPL-3.0-or-later
// Menus in main_window.h: the whole one by groups, those of workspace and device.
#include "app/ide/kit/actions.h"
#include "app/ide/layout/menu_places.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/shell/main_window.h"

#include <QAction>
#include <QMenu>

namespace warpwright {

void MainWindow::buildMenus() {
    m_menu = new QMenu(this);
    QHash<QString, QMenu *> groups;
    for (const QString &group : m_actions->menuOrder()) {
        groups[group] = m_menu->addMenu(group);
        groups[group]->setToolTipsVisible(true); // of those that have one
    }
    QHash<QString, QMenu *> inside; // of the menus in them
    for (QAction *action : m_actions->all()) {
        const QString group = action->property("group").toString();
        QMenu *menu = groups.value(group);
        const QString name = subMenuOf(*action);
        const bool isFirst = !name.isEmpty() && !inside.contains(group + name);
        if (!name.isEmpty() && !isFirst)
            menu = inside[group + name];
        if (m_actions->beginsSection(action) && !menu->isEmpty())
            menu->addSeparator();
        if (isFirst) {
            menu = inside[group + name] = menu->addMenu(name);
            menu->setToolTipsVisible(true);
        }
        menu->addAction(action);
    }
    QMenu *agents = groups[m_actions->tunePlaybook->property("group").toString()];
    connect(m_actions, &Actions::offersChanged, agents, [this, agents] {
        agents->insertActions(m_actions->tuneScript, m_actions->tuneModels() + m_actions->tuneAgents());
    });
    m_topBar->setMenu(m_menu);
    auto *key = new QAction(tr("Menu"), this);
    key->setShortcut(QKeySequence(QStringLiteral("F10")));
    connect(key, &QAction::triggered, m_topBar, &TopBar::openMenu);
    addAction(key);
    m_deviceMenu = new QMenu(this);
    m_topBar->setDeviceMenu(m_deviceMenu);
    m_workspaceMenu = new QMenu(this);
    m_workspaceMenu->addActions({m_actions->open, m_actions->newFromModel, m_actions->openFile,
                                 m_actions->openProblems, m_actions->startPage, m_actions->closeWorkspace});
    m_topBar->setWorkspaceMenu(m_workspaceMenu);
}

} // namespace warpwright
