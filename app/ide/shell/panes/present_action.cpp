// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/present_action.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/pane.h"

#include <QAction>
#include <QApplication>

namespace warpwright {
namespace {

constexpr int candidatePane = 1;

} // namespace

PresentAction::PresentAction(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    QAction *present = &m_parts.action;
    connect(present, &QAction::triggered, this, &PresentAction::begin);
    const auto enable = [this, present] {
        Actions::setReason(present, m_parts.bench.workspace() ? QString() : tr("no workspace is open"));
    };
    enable();
    connect(&m_parts.bench, &Workbench::opened, present, enable);
    connect(&m_parts.bench, &Workbench::closed, present, enable);
}

void PresentAction::begin() {
    if (m_parts.presentation.isOn())
        return m_parts.presentation.end();
    const QWidget *focus = QApplication::focusWidget();
    int pane = candidatePane;
    for (int i = 0; focus != nullptr && i < 4; ++i)
        if (m_parts.four.pane(i)->isAncestorOf(focus))
            pane = i;
    if (focus != nullptr && m_parts.agentDock.isAncestorOf(focus))
        pane = Presentation::besidePane;
    m_parts.pages.showWork();
    m_parts.presentation.begin(pane);
    if (pane == candidatePane)
        m_parts.candidate.focusHere();
}

} // namespace warpwright
