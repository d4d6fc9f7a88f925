// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/page_actions.h"

#include "app/ide/kit/actions.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>

namespace warpwright {
namespace {

constexpr int buildPane = 2;

} // namespace

PageActions::PageActions(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    for (QAction *action : m_parts.actions.showPages)
        connect(action, &QAction::triggered, this,
                [this, action] { m_parts.panes.showProfilePage(action->property("page").toString()); });
    connect(m_parts.actions.showVerify, &QAction::triggered, this, [this] {
        if (!m_parts.bench.workspace())
            return;
        m_parts.panes.showBuild();
        m_parts.build.showPage(QStringLiteral("verify"));
    });
    connect(&m_parts.profile, &ProfilePanel::otherPageAsked, this, [this](const QString &name) {
        m_parts.panes.presentInstead(buildPane);
        m_parts.panes.evenOut();
        m_parts.build.showPage(name);
    });
    const auto exportAs = [this](QAction *action, const QString &kind) {
        connect(action, &QAction::triggered, this, [this, kind] { m_parts.profile.exportChart(kind); });
    };
    exportAs(m_parts.actions.exportPng, QStringLiteral("png"));
    exportAs(m_parts.actions.exportSvg, QStringLiteral("svg"));
    exportAs(m_parts.actions.exportCsv, QStringLiteral("csv"));
}

void PageActions::enable() {
    for (QAction *action : m_parts.actions.showPages)
        Actions::setReason(action, m_parts.bench.workspace() ? QString() : tr("no workspace is open"));
    const QString noChart = m_parts.profile.hasNumbers() ? QString() : tr("nothing was measured yet");
    for (QAction *action : {m_parts.actions.exportPng, m_parts.actions.exportSvg, m_parts.actions.exportCsv})
        Actions::setReason(action, noChart);
}

} // namespace warpwright
