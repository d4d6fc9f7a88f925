// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/presented_sides.h"

#include "app/ide/layout/dock.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/shell/window_docks.h"
#include "app/ide/shell/window_pages.h"

#include <QStackedWidget>
#include <QVBoxLayout>

namespace warpwright {

PresentedSides::PresentedSides(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    Presentation *presentation = &m_parts.presentation;
    connect(presentation, &Presentation::began, &m_parts.docks, &WindowDocks::hide);
    connect(presentation, &Presentation::presented, this,
            [this] { placeAgent(m_parts.presentation.pane() == Presentation::besidePane); });
    connect(presentation, &Presentation::ended, this, [this] {
        placeAgent(false);
        if (m_parts.pages.isOnWork()) // else they come back with the panes
            m_parts.docks.show();
    });
}

// What is at the side may be a rail there, hidden, or a window of its own: presented, it is in the page.
void PresentedSides::placeAgent(bool isAlone) {
    QWidget *agent = m_parts.agentStack.parentWidget();
    if ((agent->parentWidget() == &m_parts.workPage) == isAlone)
        return;
    if (isAlone) {
        static_cast<QVBoxLayout *>(m_parts.workPage.layout())->addWidget(agent, 1);
        agent->show();
        m_parts.agentStack.currentWidget()->setFocus(Qt::OtherFocusReason);
    } else {
        auto *home = static_cast<QStackedWidget *>(m_parts.agentDock.widget());
        home->insertWidget(0, agent);
        home->setCurrentIndex(m_parts.agentDock.isFolded() ? 1 : 0);
    }
}

} // namespace warpwright
