// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/measuring_actions.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/measured_pages.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"

#include <QAction>

namespace warpwright {

MeasuringActions::MeasuringActions(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connectCollecting();
    connectReports();
    connect(&m_parts.counters, &CounterController::failed, &m_parts.notices, &WindowNotices::sayTrouble);
    connect(
        &m_parts.counters, &CounterController::noticed, this,
        [this](const QString &title, const QString &text) { m_parts.notices.tell(newsNotice(title, text)); });
}

// What is saved already is not saved again: it would be compiled anew, and the build pane show that.
void MeasuringActions::whenSaved(const std::function<void()> &then) {
    if (!m_parts.candidate.hasUnsaved())
        return then();
    m_parts.candidate.saveAll([then](bool isSaved) {
        if (isSaved) // else the candidate said why
            then();
    });
}

void MeasuringActions::connectCollecting() {
    const Actions &a = m_parts.actions;
    const auto collect = [this](const CollectRequest &asked) {
        m_parts.panes.showProfilePage(QStringLiteral("counters"));
        whenSaved([this, asked] { m_parts.counters.collect(asked); });
    };
    connect(a.collectCounters, &QAction::triggered, this, [collect] { collect({}); });
    connect(a.collectAllCounters, &QAction::triggered, this, [collect] {
        CollectRequest asked;
        asked.set = QStringLiteral("full");
        collect(asked);
    });
    connect(a.collectBaselines, &QAction::triggered, this, [collect] {
        CollectRequest asked;
        asked.wantsBaselines = true;
        collect(asked);
    });
    connect(a.traceTimeline, &QAction::triggered, this, [this] {
        m_parts.panes.showProfilePage(QStringLiteral("timeline"));
        whenSaved([this] { m_parts.counters.trace(); });
    });
    connect(a.stopCounters, &QAction::triggered, &m_parts.counters, &CounterController::stop);
}

void MeasuringActions::connectReports() {
    const Actions &a = m_parts.actions;
    connect(a.openReport, &QAction::triggered, this, [this] {
        askForFile(m_window,
                   {FileQuestion::Of::File,
                    tr("Open a report of Nsight Compute"),
                    {},
                    tr("Reports (*.ncu-rep *.ncu-repz);;All files (*)")},
                   [this](const QString &path) { openReport(path); });
    });
    connect(a.attachReport, &QAction::triggered, &m_parts.counters, &CounterController::attachReport);
    connect(a.switchCounters, &QAction::triggered, &m_parts.counters, &CounterController::switchSource);
    connect(a.closeReport, &QAction::triggered, &m_parts.counters, &CounterController::closeReport);
}

void MeasuringActions::enable() {
    const QString whyNot = m_parts.counters.whyNot();
    for (QAction *action : {m_parts.actions.collectCounters, m_parts.actions.collectAllCounters,
                            m_parts.actions.collectBaselines})
        Actions::setReason(action, whyNot.isEmpty() ? m_parts.device.whyNoSweep() : whyNot);
    Actions::setReason(m_parts.actions.traceTimeline, whyNot);
    // Until the devices are known nothing is said of them.
    m_parts.measured.setWhyNoGpu(m_parts.device.toolchain() ? m_parts.device.whyNoSweep() : QString());
    Actions::setReason(m_parts.actions.stopCounters,
                       m_parts.counters.isRunning() ? QString() : tr("nothing is being measured"));
    Actions::setReason(m_parts.actions.openReport,
                       !m_parts.bench.workspace()     ? tr("no workspace is open")
                       : m_parts.counters.isRunning() ? tr("something is being measured")
                       : m_parts.counters.isKeeping() ? tr("the open one is being kept")
                                                      : QString());
    Actions::setReason(m_parts.actions.attachReport, m_parts.counters.whyNotAttach());
    Actions::setReason(m_parts.actions.closeReport, !m_parts.counters.isReport()   ? tr("no report is open")
                                                    : m_parts.counters.isKeeping() ? tr("it is being kept")
                                                                                   : QString());
    Actions::setReason(m_parts.actions.switchCounters, m_parts.counters.isReport() ? tr("a report is open")
                                                       : m_parts.counters.hasOtherSource()
                                                           ? QString()
                                                           : tr("there are no others of this text"));
}

void MeasuringActions::openReport(const QString &path) {
    if (!m_parts.bench.workspace())
        return m_parts.notices.sayTrouble(
            tr("Open a workspace first"),
            tr("A report is shown in the profile pane of one. Without: wright counters --import."));
    m_parts.panes.showProfilePage(QStringLiteral("counters"));
    m_parts.notices.takeBack(tr("Cannot open the report")); // what it said was of another one
    m_parts.counters.openReport(path);
}

} // namespace warpwright
