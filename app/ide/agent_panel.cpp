// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent_panel.h"

#include "widgets/empty_state.h"
#include "widgets/look.h"

#include <QPainter>
#include <QVBoxLayout>

namespace warpwright {

AgentPanel::AgentPanel(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("agentPanel"));
    auto *empty = new EmptyState(look, this);
    empty->say(QStringLiteral("playbook"), tr("No agent in this version"), tr("proposals will appear here"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(empty);
}

void AgentPanel::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.pane"));
}

} // namespace warpwright
