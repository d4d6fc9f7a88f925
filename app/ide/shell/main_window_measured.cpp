// SPDX-License-Identifier: GPL-3.0-or-later
// Counters in main_window.h: collected, opened, stopped; and the page to share.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/replay_desk.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/measured/counter_desk.h"
#include "app/ide/measured/editor_heat.h"
#include "app/ide/measured/measured_pages.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/measured/share_desk.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/frame/toasts.h"

#include <QDesktopServices>
#include <QStackedWidget>
#include <QUrl>

namespace warpwright {
namespace {

/// What a page to share is of: what the window shows.
QString sharingWords(const ReplayDesk &replay, const Shown &shown) {
    return replay.isOpen()   ? MainWindow::tr("Share this past run as a page")
           : shown.isEarlier ? MainWindow::tr("Share iteration %1 as a page").arg(shown.iteration)
                             : MainWindow::tr("Share this text as a page");
}

} // namespace

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
        showProfilePage(QStringLiteral("counters"));
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
        showProfilePage(QStringLiteral("timeline"));
        whenSaved([this] { m_counters->trace(); });
    });
    for (QAction *action : m_actions->showPages)
        connect(action, &QAction::triggered, this,
                [this, action] { showProfilePage(action->property("page").toString()); });
    connect(m_actions->showVerify, &QAction::triggered, this, [this] {
        if (!m_bench->workspace())
            return;
        if (m_pages->currentWidget() != m_workPage)
            showPage(m_workPage);
        constexpr int build = 2;
        presentInstead(build);
        if (m_four->enlarged() >= 0 && m_four->enlarged() != build)
            m_four->enlarge(m_four->enlarged());
        m_build->showPage(QStringLiteral("verify"));
    });
    connect(m_profile, &ProfilePanel::otherPageAsked, this, [this](const QString &name) {
        presentInstead(2);
        if (m_four->enlarged() >= 0)
            m_four->enlarge(m_four->enlarged()); // all alike again
        m_build->showPage(name);
    });
    connect(m_actions->stopCounters, &QAction::triggered, m_counters, &CounterDesk::stop);
    connect(m_actions->openReport, &QAction::triggered, this, [this] {
        askForFile(this,
                   {FileQuestion::Of::File,
                    tr("Open a report of Nsight Compute"),
                    {},
                    tr("Reports (*.ncu-rep *.ncu-repz);;All files (*)")},
                   [this](const QString &path) { openReport(path); });
    });
    connect(m_actions->attachReport, &QAction::triggered, m_counters, &CounterDesk::attachReport);
    connect(m_actions->switchCounters, &QAction::triggered, m_counters, &CounterDesk::switchSource);
    connect(m_actions->closeReport, &QAction::triggered, m_counters, &CounterDesk::closeReport);
    m_actions->showHeat->setChecked(m_state->bytes(QStringLiteral("hidesHeat")) != "yes");
    auto *heat = new EditorHeat(m_look, m_profile->heat(), *m_candidate, *m_actions->showHeat);
    connect(m_profile, &ProfilePanel::hotLineActivated, heat, &EditorHeat::find);
    connect(heat, &EditorHeat::placeFound, this,
            [this](const QString &file, int line) { goTo(file, line, 1); });
    connect(heat, &EditorHeat::lineGone, this, [this](const QString &file, int line) {
        m_toasts->show(newsNotice(tr("This line is another one now"),
                                  tr("%1:%2 was changed since it was measured.").arg(file).arg(line)));
    });
    connect(m_counters, &CounterDesk::failed, this, &MainWindow::sayTrouble);
    connect(m_counters, &CounterDesk::noticed, this,
            [this](const QString &title, const QString &text) { m_toasts->show(newsNotice(title, text)); });
    connect(m_counters, &CounterDesk::runChanged, this, &MainWindow::enableActions);
    for (const auto changed : {&CounterDesk::runChanged, &CounterDesk::ticked})
        connect(m_counters, changed, this, &MainWindow::showBanner); // the status line tells of it
    connect(m_counters, &CounterDesk::countersChanged, this, &MainWindow::enableActions);
}

void MainWindow::openReport(const QString &path) {
    if (!m_bench->workspace())
        return sayTrouble(
            tr("Open a workspace first"),
            tr("A report is shown in the profile pane of one. Without: wright counters --import."));
    showProfilePage(QStringLiteral("counters"));
    m_toasts->closeAll(tr("Cannot open the report")); // what it said was of another one
    m_counters->openReport(path);
}

void MainWindow::showProfilePage(const QString &name) {
    if (!m_bench->workspace())
        return;
    if (m_pages->currentWidget() != m_workPage)
        showPage(m_workPage);
    constexpr int profile = 3;
    presentInstead(profile);
    if (m_four->enlarged() >= 0 && m_four->enlarged() != profile)
        m_four->enlarge(m_four->enlarged()); // all alike again
    m_profile->showPage(name);
    // After what showPage() has put off.
    QMetaObject::invokeMethod(
        m_profile, [this] { m_profile->tabs()->setFocus(Qt::OtherFocusReason); }, Qt::QueuedConnection);
}

void MainWindow::connectSharing() {
    connect(m_actions->share, &QAction::triggered, this, [this] {
        // What is saved already is not saved again: it would be compiled anew, and the build pane show that
        // in place of the check.
        if (!m_candidate->hasUnsaved() || m_replay->isOpen())
            return shareByDialog();
        m_candidate->saveAll([this](bool isSaved) {
            if (isSaved) // else the candidate said why
                shareByDialog();
        });
    });
    connect(m_share, &ShareDesk::writingChanged, this, &MainWindow::enableActions);
    connect(m_share, &ShareDesk::failed, this,
            [this](const QString &message) { sayTrouble(tr("The page is not written"), message); });
    connect(m_share, &ShareDesk::written, this, [this](const QString &file) {
        Notice notice = newsNotice(tr("The page is written"), file, true);
        notice.actionName = tr("Open");
        notice.action = [file] {
            QDesktopServices::openUrl(QUrl::fromLocalFile(file));
        };
        m_toasts->show(notice);
    });
}

void MainWindow::shareByDialog() {
    if (!m_bench->workspace() || m_share->isWriting())
        return;
    const Workspace &workspace = *m_bench->workspace();
    const Shown &shown = m_bench->shown();
    const QString run = m_replay->isOpen() ? m_replay->run()->run : QString();
    // A past run is told to its end, whichever event is open, as `wright report --run` tells it.
    const int iteration = shown.isEarlier && run.isEmpty() ? shown.iteration : 0;
    const QString name = !run.isEmpty()  ? QStringLiteral("%1-run.html").arg(workspace.name)
                         : iteration > 0 ? QStringLiteral("%1-%2.html").arg(workspace.name).arg(iteration)
                                         : QStringLiteral("%1.html").arg(workspace.name);
    const auto write = [this, iteration, run, folder = workspace.folder](const QString &file) {
        // Meanwhile another may have been opened.
        if (!m_bench->workspace() || m_bench->workspace()->folder != folder || m_share->isWriting())
            return;
        // Of a text that was edited since, nobody knows what the compiler makes of it.
        const AssemblyPage &assembly = m_profile->assembly();
        const bool isOfThisText = run.isEmpty() && assembly.isSettled() && m_bench->edits() == 0;
        m_share->write({*m_bench->workspace(), iteration, isOfThisText ? assembly.inspection() : nullptr,
                        QStringLiteral("warpwright ") + m_bench->request().programVersion, m_bench->folders(),
                        file, run});
    };
    askForFile(this,
               {FileQuestion::Of::NewFile, sharingWords(*m_replay, shown),
                workspace.folder + QLatin1Char('/') + name, tr("Pages (*.html)")},
               write);
}

void MainWindow::enableCounters() {
    const QString whyNot = m_counters->whyNot();
    for (QAction *action :
         {m_actions->collectCounters, m_actions->collectAllCounters, m_actions->collectBaselines})
        Actions::setReason(action, whyNot.isEmpty() ? m_whyNoSweep : whyNot);
    Actions::setReason(m_actions->traceTimeline, whyNot);
    // Until the devices are known nothing is said of them.
    m_profile->measured().setWhyNoGpu(m_toolchain ? m_whyNoSweep : QString());
    for (QAction *action : m_actions->showPages)
        Actions::setReason(action, m_bench->workspace() ? QString() : tr("no workspace is open"));
    Actions::setReason(m_actions->stopCounters,
                       m_counters->isRunning() ? QString() : tr("nothing is being measured"));
    Actions::setReason(m_actions->openReport, !m_bench->workspace()     ? tr("no workspace is open")
                                              : m_counters->isRunning() ? tr("something is being measured")
                                              : m_counters->isKeeping() ? tr("the open one is being kept")
                                                                        : QString());
    Actions::setReason(m_actions->attachReport, m_counters->whyNotAttach());
    Actions::setReason(m_actions->closeReport, !m_counters->isReport()   ? tr("no report is open")
                                               : m_counters->isKeeping() ? tr("it is being kept")
                                                                         : QString());
    Actions::setReason(m_actions->switchCounters, m_counters->isReport() ? tr("a report is open")
                                                  : m_counters->hasOtherSource()
                                                      ? QString()
                                                      : tr("there are no others of this text"));
    if (m_replay != nullptr)
        m_actions->share->setText(sharingWords(*m_replay, m_bench->shown()) + QStringLiteral("…"));
    Actions::setReason(m_actions->share, !m_bench->workspace()  ? tr("no workspace is open")
                                         : m_share->isWriting() ? tr("a page is being written")
                                                                : QString());
}

} // namespace warpwright
