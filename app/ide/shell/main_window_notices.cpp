// SPDX-License-Identifier: GPL-3.0-or-later
// Notices go with what they were about, and settings that were edited elsewhere come in.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/settings_watch.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/shell/main_window.h"
#include "widgets/frame/toasts.h"

#include <QStackedWidget>

namespace warpwright {

void MainWindow::connectNotices() {
    for (const auto left : {&Workbench::opened, &Workbench::closed})
        connect(m_bench, left, m_toasts, &Toasts::closeOfWorkspace);
    connect(m_bench, &Workbench::closed, m_status, [this] {
        m_status->setSaved({});
        m_status->setPlace({});
    });
    connect(m_pages, &QStackedWidget::currentChanged, m_toasts, &Toasts::closeOlder);
    connect(m_candidate, &CandidatePanel::saved, m_toasts, [this] {
        m_toasts->closeAll(CandidatePanel::tr("Not saved"));
        m_toasts->closeAll(CandidatePanel::tr("A file waits for an answer"));
    });
    const auto count = [this] {
        m_status->setNotices(m_toasts->told() - m_noticesRead);
    };
    connect(m_toasts, &Toasts::toldChanged, this, count);
    connect(m_actions->notices, &QAction::triggered, this, [this, count] {
        m_noticesRead = m_toasts->told();
        count();
    });
    auto *watch = new SettingsWatch(m_bench->folders().settingsFile(), this);
    connect(watch, &SettingsWatch::changed, this, [this](const Settings &settings) {
        m_toasts->closeAll(tr("The edited settings cannot be used"));
        if (settings != m_bench->settings())
            applySettings(settings);
    });
    connect(watch, &SettingsWatch::failed, this, [this](const QString &why) {
        m_toasts->closeAll(tr("The edited settings cannot be used"));
        sayOfProgram(tr("The edited settings cannot be used"), why);
    });
}

} // namespace warpwright
