// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/pane_actions.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/window_parts.h"
#include "widgets/frame/toasts.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QStackedWidget>

namespace warpwright {

PaneActions::PaneActions(const WindowParts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    const Actions &a = *m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.quit, [this] { m_parts.window->close(); });
    on(a.findChild<QAction *>(QStringLiteral("fullScreen")),
       [this] { m_parts.window->setWindowState(m_parts.window->windowState() ^ Qt::WindowFullScreen); });
    on(a.about, [this] {
        m_parts.toasts->show(newsNotice(
            tr("Warpwright"),
            tr("Version %1. GPL-3.0-or-later. Qt %2, QScintilla, QCustomPlot; Inter and JetBrains Mono under "
               "the OFL.")
                .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion())),
            true));
    });
    connectDocks();
    on(a.nextPane, [this] { walk(1); });
    on(a.previousPane, [this] { walk(-1); });
    on(a.exportPng, [this] { m_parts.profile->exportChart(QStringLiteral("png")); });
    on(a.exportSvg, [this] { m_parts.profile->exportChart(QStringLiteral("svg")); });
    on(a.exportCsv, [this] { m_parts.profile->exportChart(QStringLiteral("csv")); });
}

void PaneActions::connectDocks() {
    const Actions &a = *m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.toggleIterations, [this] { m_parts.iterationsDock->toggle(); });
    on(a.toggleAgent, [this] {
        m_parts.presentation->isOn() ? m_parts.presentation->begin(Presentation::besidePane)
                                     : m_parts.agentDock->toggle();
    });
    for (int i = 0; i < 4; ++i)
        on(a.enlarge[i], [this, i] {
            m_parts.presentation->isOn() ? m_parts.presentation->begin(i) : m_parts.four->enlarge(i);
        });
    on(a.resetLayout, [this] {
        m_parts.presentation->end();
        m_parts.four->resetSizes();
        for (Dock *dock : {m_parts.iterationsDock, m_parts.agentDock}) {
            dock->setFloating(false);
            dock->show();
        }
        m_parts.inner->addDockWidget(Qt::LeftDockWidgetArea, m_parts.iterationsDock);
        m_parts.inner->addDockWidget(Qt::RightDockWidgetArea, m_parts.agentDock);
        emit layoutReset();
    });
    on(a.swapRows, [this] { m_parts.four->swapRows(); });
}

void PaneActions::walk(int by) {
    const QList<QWidget *> rooms{m_parts.iterations, m_parts.reference, m_parts.candidate,
                                 m_parts.build,      m_parts.profile,   m_parts.agentStack};
    qsizetype now = -1;
    for (qsizetype i = 0; i < rooms.size(); ++i)
        if (rooms[i]->isAncestorOf(QApplication::focusWidget()))
            now = i;
    for (qsizetype tried = 0; tried < rooms.size(); ++tried) {
        now = (now + by + rooms.size()) % rooms.size();
        if (rooms[now] == m_parts.candidate)
            return m_parts.candidate->focusHere(); // the text, not its tabs
        for (QWidget *child : rooms[now]->findChildren<QWidget *>())
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus) != 0) {
                child->setFocus(Qt::TabFocusReason);
                return;
            }
    }
}

} // namespace warpwright
