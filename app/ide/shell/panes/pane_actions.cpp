// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/pane_actions.h"

#include "app/ide/editing/reference_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/shell/window_docks.h"
#include "app/ide/shell/window_notices.h"

#include <QAction>
#include <QCoreApplication>
#include <QMainWindow>
#include <QStackedWidget>

namespace warpwright {

PaneActions::PaneActions(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.quit, [this] { m_window->close(); });
    on(a.findChild<QAction *>(QStringLiteral("fullScreen")),
       [this] { m_window->setWindowState(m_window->windowState() ^ Qt::WindowFullScreen); });
    on(a.about, [this] {
        m_parts.notices.tell(newsNotice(
            tr("Warpwright"),
            tr("Version %1. GPL-3.0-or-later. Qt %2, QScintilla, QCustomPlot; Inter and JetBrains Mono under "
               "the OFL.")
                .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion())),
            true));
    });
    connectPanes();
}

void PaneActions::connectPanes() {
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.toggleIterations, [this] { m_parts.docks.toggleIterations(); });
    on(a.toggleAgent, [this] { m_parts.panes.toggleAgent(m_parts.docks); });
    for (int i = 0; i < 4; ++i)
        on(a.enlarge[i], [this, i] { m_parts.panes.enlarge(i); });
    on(a.resetLayout, [this] {
        m_parts.panes.resetSizes();
        m_parts.docks.reset();
    });
    on(a.swapRows, [this] { m_parts.four.swapRows(); });
}

} // namespace warpwright
