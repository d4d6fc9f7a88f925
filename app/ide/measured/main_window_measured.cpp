// SPDX-License-Identifier: GPL-3.0-or-later
// Counters in main_window.h: collected, opened, stopped.
#include "app/ide/actions.h"
#include "app/ide/candidate_panel.h"
#include "app/ide/main_window.h"
#include "app/ide/measured/counter_desk.h"
#include "app/ide/profile_panel.h"
#include "app/ide/workbench.h"

#include <QFileDialog>

namespace warpwright {

void MainWindow::connectCounters() {
    // What is saved already is not saved again: it would be compiled anew, and the build pane show that.
    const auto whenSaved = [this](const std::function<void()> &then) {
        if (!m_candidate->hasUnsaved())
            return then();
        m_candidate->saveAll([then](bool isSaved) {
            if (isSaved) // else the candidate said why
                then();
        });
    };
    const auto collect = [this, whenSaved](const CollectRequest &asked) {
        m_profile->showPage(QStringLiteral("counters"));
        whenSaved([this, asked] { m_counters->collect(asked); });
    };
    connect(m_actions->collectCounters, &QAction::triggered, this, [collect] { collect({}); });
    connect(m_actions->collectAllCounters, &QAction::triggered, this, [collect] {
        CollectRequest asked;
        asked.set = QStringLiteral("full");
        collect(asked);
    });
    connect(m_actions->collectBaselines, &QAction::triggered, this, [collect] {
        CollectRequest asked;
        asked.wantsBaselines = true;
        collect(asked);
    });
    connect(m_actions->traceTimeline, &QAction::triggered, this, [this, whenSaved] {
        m_profile->showPage(QStringLiteral("timeline"));
        whenSaved([this] { m_counters->trace(); });
    });
    connect(m_actions->stopCounters, &QAction::triggered, m_counters, &CounterDesk::stop);
    connect(m_actions->openReport, &QAction::triggered, this, [this] {
        const QString path =
            QFileDialog::getOpenFileName(this, tr("Open a report of Nsight Compute"), {},
                                         tr("Reports (*.ncu-rep *.ncu-repz);;All files (*)"));
        if (!path.isEmpty())
            openReport(path);
    });
    connect(m_actions->closeReport, &QAction::triggered, m_counters, &CounterDesk::closeReport);
    connect(m_counters, &CounterDesk::failed, this, &MainWindow::sayTrouble);
    connect(m_counters, &CounterDesk::runChanged, this, &MainWindow::enableActions);
    connect(m_counters, &CounterDesk::countersChanged, this, &MainWindow::enableActions);
}

void MainWindow::openReport(const QString &path) {
    if (!m_bench->workspace())
        return sayTrouble(
            tr("Open a workspace first"),
            tr("A report is shown in the profile pane of one. Without: wright counters --import."));
    m_profile->showPage(QStringLiteral("counters"));
    m_counters->openReport(path);
}

void MainWindow::enableCounters() {
    const QString whyNot = m_counters->whyNot();
    for (QAction *action : {m_actions->collectCounters, m_actions->collectAllCounters,
                            m_actions->collectBaselines, m_actions->traceTimeline})
        Actions::setReason(action, whyNot);
    Actions::setReason(m_actions->stopCounters,
                       m_counters->isRunning() ? QString() : tr("nothing is being measured"));
    Actions::setReason(m_actions->openReport, !m_bench->workspace()     ? tr("no workspace is open")
                                              : m_counters->isRunning() ? tr("something is being measured")
                                                                        : QString());
    Actions::setReason(m_actions->closeReport, m_counters->isReport() ? QString() : tr("no report is open"));
}

} // namespace warpwright
