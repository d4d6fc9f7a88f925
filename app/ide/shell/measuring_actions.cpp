// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/measuring_actions.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/editor_heat.h"
#include "app/ide/measured/measured_pages.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/work_display.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/toasts.h"
#include "widgets/look/look.h"

#include <QAction>

namespace warpwright {
namespace {

constexpr int buildPane = 2;

} // namespace

MeasuringActions::MeasuringActions(const WindowParts &parts, QObject *parent)
    : QObject(parent), m_parts(parts) {
    connectCollecting();
    connectPages();
    connectReports();
    connectHeat();
    connect(m_parts.counters, &CounterController::failed, m_parts.notices, &WindowNotices::sayTrouble);
    connect(
        m_parts.counters, &CounterController::noticed, this,
        [this](const QString &title, const QString &text) { m_parts.toasts->show(newsNotice(title, text)); });
    connect(m_parts.counters, &CounterController::runChanged, m_parts.reasons, &ActionReasons::update);
    for (const auto changed : {&CounterController::runChanged, &CounterController::ticked})
        connect(m_parts.counters, changed, m_parts.display,
                &WorkDisplay::showNow); // the status line tells of it
    connect(m_parts.counters, &CounterController::countersChanged, m_parts.reasons, &ActionReasons::update);
    connect(m_parts.reasons, &ActionReasons::updated, this, &MeasuringActions::enable);
}

// What is saved already is not saved again: it would be compiled anew, and the build pane show that.
void MeasuringActions::whenSaved(const std::function<void()> &then) {
    if (!m_parts.candidate->hasUnsaved())
        return then();
    m_parts.candidate->saveAll([then](bool isSaved) {
        if (isSaved) // else the candidate said why
            then();
    });
}

void MeasuringActions::connectCollecting() {
    const Actions &a = *m_parts.actions;
    const auto collect = [this](const CollectRequest &asked) {
        m_parts.pages->showProfilePage(QStringLiteral("counters"));
        whenSaved([this, asked] { m_parts.counters->collect(asked); });
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
        m_parts.pages->showProfilePage(QStringLiteral("timeline"));
        whenSaved([this] { m_parts.counters->trace(); });
    });
    connect(a.stopCounters, &QAction::triggered, m_parts.counters, &CounterController::stop);
}

void MeasuringActions::connectPages() {
    for (QAction *action : m_parts.actions->showPages)
        connect(action, &QAction::triggered, this,
                [this, action] { m_parts.pages->showProfilePage(action->property("page").toString()); });
    connect(m_parts.actions->showVerify, &QAction::triggered, this, [this] {
        if (!m_parts.bench->workspace())
            return;
        m_parts.pages->showBuild();
        m_parts.build->showPage(QStringLiteral("verify"));
    });
    connect(m_parts.profile, &ProfilePanel::otherPageAsked, this, [this](const QString &name) {
        m_parts.pages->presentInstead(buildPane);
        if (m_parts.four->enlarged() >= 0)
            m_parts.four->enlarge(m_parts.four->enlarged()); // all alike again
        m_parts.build->showPage(name);
    });
}

void MeasuringActions::connectReports() {
    const Actions &a = *m_parts.actions;
    connect(a.openReport, &QAction::triggered, this, [this] {
        askForFile(m_parts.window,
                   {FileQuestion::Of::File,
                    tr("Open a report of Nsight Compute"),
                    {},
                    tr("Reports (*.ncu-rep *.ncu-repz);;All files (*)")},
                   [this](const QString &path) { openReport(path); });
    });
    connect(a.attachReport, &QAction::triggered, m_parts.counters, &CounterController::attachReport);
    connect(a.switchCounters, &QAction::triggered, m_parts.counters, &CounterController::switchSource);
    connect(a.closeReport, &QAction::triggered, m_parts.counters, &CounterController::closeReport);
}

void MeasuringActions::connectHeat() {
    QAction *showHeat = m_parts.actions->showHeat;
    showHeat->setChecked(m_parts.state->bytes(QStringLiteral("hidesHeat")) != "yes");
    auto *heat = new EditorHeat(*m_parts.look, m_parts.profile->heat(), *m_parts.candidate, *showHeat);
    connect(m_parts.profile, &ProfilePanel::hotLineActivated, heat, &EditorHeat::find);
    connect(heat, &EditorHeat::placeFound, this,
            [this](const QString &file, int line) { m_parts.places->goTo(file, line, 1); });
    connect(heat, &EditorHeat::lineGone, this, [this](const QString &file, int line) {
        m_parts.toasts->show(newsNotice(tr("This line is another one now"),
                                        tr("%1:%2 was changed since it was measured.").arg(file).arg(line)));
    });
}

void MeasuringActions::enable() {
    const QString whyNot = m_parts.counters->whyNot();
    for (QAction *action : {m_parts.actions->collectCounters, m_parts.actions->collectAllCounters,
                            m_parts.actions->collectBaselines})
        Actions::setReason(action, whyNot.isEmpty() ? m_parts.device->whyNoSweep() : whyNot);
    Actions::setReason(m_parts.actions->traceTimeline, whyNot);
    // Until the devices are known nothing is said of them.
    m_parts.profile->measured().setWhyNoGpu(m_parts.device->toolchain() ? m_parts.device->whyNoSweep()
                                                                        : QString());
    for (QAction *action : m_parts.actions->showPages)
        Actions::setReason(action, m_parts.bench->workspace() ? QString() : tr("no workspace is open"));
    Actions::setReason(m_parts.actions->stopCounters,
                       m_parts.counters->isRunning() ? QString() : tr("nothing is being measured"));
    Actions::setReason(m_parts.actions->openReport,
                       !m_parts.bench->workspace()     ? tr("no workspace is open")
                       : m_parts.counters->isRunning() ? tr("something is being measured")
                       : m_parts.counters->isKeeping() ? tr("the open one is being kept")
                                                       : QString());
    Actions::setReason(m_parts.actions->attachReport, m_parts.counters->whyNotAttach());
    Actions::setReason(m_parts.actions->closeReport, !m_parts.counters->isReport()   ? tr("no report is open")
                                                     : m_parts.counters->isKeeping() ? tr("it is being kept")
                                                                                     : QString());
    Actions::setReason(m_parts.actions->switchCounters, m_parts.counters->isReport() ? tr("a report is open")
                                                        : m_parts.counters->hasOtherSource()
                                                            ? QString()
                                                            : tr("there are no others of this text"));
}

void MeasuringActions::openReport(const QString &path) {
    if (!m_parts.bench->workspace())
        return m_parts.notices->sayTrouble(
            tr("Open a workspace first"),
            tr("A report is shown in the profile pane of one. Without: wright counters --import."));
    m_parts.pages->showProfilePage(QStringLiteral("counters"));
    m_parts.toasts->closeAll(tr("Cannot open the report")); // what it said was of another one
    m_parts.counters->openReport(path);
}

} // namespace warpwright
