// SPDX-License-Identifier: GPL-3.0-or-later
// How the window's parts hear of each other: actions, menus, and what the workbench says.
#include "app/ide/agent/agent_desk.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/message_link.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/replay_desk.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/lesson_desk.h"
#include "app/ide/measured/counter_desk.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/shell/main_window.h"
#include "profiler_views/verdict_look.h"
#include "toolchain/base/figures.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/tool_output/quoted_place.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor/lit_line.h"
#include "widgets/frame/toasts.h"

#include <QApplication>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>

namespace warpwright {
namespace {

/// Without a key, where the settings say «when you pause».
constexpr int saveWhenIdleMs = 1000;

QString noWorkspace() {
    return MainWindow::tr("no workspace is open");
}

} // namespace

void MainWindow::connectActions() {
    Actions &a = *m_actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.open, [this] { openByDialog(); });
    on(a.quit, [this] { close(); });
    on(a.save, [this] { saveByHand(); });
    on(a.closeWorkspace, [this] { leaveWork({}, [this] { leaveText([this] { m_bench->close(); }); }); });
    on(a.newKernel, [this] { m_candidate->newKernel(); });
    on(a.renameFile, [this] { m_candidate->renameCurrent(); });
    on(a.deleteFile, [this] { m_candidate->deleteCurrent(); });
    on(a.check,
       [this] { startCheck([this] { m_bench->check(m_bench->settings().tier.value_or(Tier::Quick)); }); });
    on(a.certify, [this] { startCheck([this] { m_bench->check(Tier::Certify); }); });
    on(a.sweepConfigs, [this] {
        showProfilePage(QStringLiteral("configs"));
        startCheck([this] { m_bench->checkConfigs(); });
    });
    on(a.stop, [this] { m_bench->isRunning() ? m_bench->stop() : m_counters->stop(); });
    on(a.backToText, [this] { m_bench->backToText(); });
    on(a.branchHere, [this] {
        // What was typed is saved, and so becomes an iteration of its own before the files change.
        m_candidate->saveAll([this](bool isSaved) {
            if (!isSaved)
                return;
            m_candidate->expectGone(m_bench->shown().texts,
                                    m_bench->shown().isEarlier && !m_bench->isRunning());
            m_bench->branchFromShown();
        });
    });
    connect(m_bench, &Workbench::failed, m_candidate, [this] { m_candidate->expectGone({}, false); });
    connect(m_bench, &Workbench::branched, m_candidate, [this](const CandidateTexts &texts) {
        m_candidate->expectReload();
        m_candidate->setChecked(texts, texts);
    });
    const auto step = [this](int by) {
        const IterationTree &tree = *m_bench->tree();
        const int row = tree.rows.value(m_bench->shown().iteration, -1);
        const int next = row + by;
        if (row >= 0 && next >= 0 && next < static_cast<int>(tree.records.size()))
            m_bench->showIteration(tree.records[static_cast<std::size_t>(next)].iteration.number);
    };
    on(a.previousIteration, [step] { step(-1); });
    on(a.nextIteration, [step] { step(1); });
    on(a.replace, [this] { m_candidate->find(true); });
    on(a.goToLine, [this] { m_candidate->askLine(); });
    const auto editor = [this](void (EditorCommands::*command)()) {
        return [this, command] {
            if (CodeEditor *written = editorToWriteIn(); written != nullptr)
                (written->decorator<EditorCommands>().*command)();
        };
    };
    on(a.toggleComment, editor(&EditorCommands::toggleComment));
    on(a.addOccurrence, editor(&EditorCommands::addNextOccurrence));
    on(a.matchingBrace, editor(&EditorCommands::goToMatchingBrace));
    on(a.nextMark, [this] { goToDiagnostic(1); });
    on(a.previousMark, [this] { goToDiagnostic(-1); });
    on(a.toggleFold, editor(&EditorCommands::toggleFold));
    on(a.unfoldAll, editor(&EditorCommands::unfoldAll));
    on(a.toggleIterations, [this] { m_iterationsDock->toggle(); });
    on(a.toggleAgent, [this] {
        m_presentation->isOn() ? m_presentation->begin(Presentation::besidePane) : m_agentDock->toggle();
    });
    for (int i = 0; i < 4; ++i)
        on(a.enlarge[i],
           [this, i] { m_presentation->isOn() ? m_presentation->begin(i) : m_four->enlarge(i); });
    on(a.resetLayout, [this] {
        m_presentation->end();
        m_four->resetSizes();
        for (Dock *dock : {m_iterationsDock, m_agentDock}) {
            dock->setFloating(false);
            dock->show();
        }
        m_inner->addDockWidget(Qt::LeftDockWidgetArea, m_iterationsDock);
        m_inner->addDockWidget(Qt::RightDockWidgetArea, m_agentDock);
        m_widthClass = -1;
        foldForWidth();
    });
    on(a.swapRows, [this] { m_four->swapRows(); });
    const auto walk = [this](int by) {
        const QList<QWidget *> rooms{m_iterations, m_reference, m_candidate,
                                     m_build,      m_profile,   m_agentStack};
        qsizetype now = -1;
        for (qsizetype i = 0; i < rooms.size(); ++i)
            if (rooms[i]->isAncestorOf(QApplication::focusWidget()))
                now = i;
        for (qsizetype tried = 0; tried < rooms.size(); ++tried) {
            now = (now + by + rooms.size()) % rooms.size();
            if (rooms[now] == m_candidate)
                return m_candidate->focusHere(); // the text, not its tabs
            for (QWidget *child : rooms[now]->findChildren<QWidget *>())
                if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus) != 0) {
                    child->setFocus(Qt::TabFocusReason);
                    return;
                }
        }
    };
    on(a.nextPane, [walk] { walk(1); });
    on(a.previousPane, [walk] { walk(-1); });
    on(a.larger, [this] { changeScale(1); });
    on(a.smaller, [this] { changeScale(-1); });
    on(a.normalSize, [this] { changeScale(0); });
    on(a.exportPng, [this] { m_profile->exportChart(QStringLiteral("png")); });
    on(a.exportSvg, [this] { m_profile->exportChart(QStringLiteral("svg")); });
    on(a.exportCsv, [this] { m_profile->exportChart(QStringLiteral("csv")); });
    on(a.notices, [this] {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        const auto &kept = m_toasts->kept();
        if (kept.empty())
            menu->addAction(tr("No notices yet"))->setEnabled(false);
        for (auto notice = kept.rbegin(); notice != kept.rend() && menu->actions().size() < 20; ++notice) {
            QAction *row = menu->addAction(
                m_look.icon(notice->iconName, m_look.color(notice->token.toLatin1().constData())),
                notice->at.toString(QStringLiteral("HH:mm:ss  ")) + notice->title);
            connect(row, &QAction::triggered, this, [this, again = *notice] { m_toasts->show(again); });
        }
        menu->popup(m_status->mapToGlobal(QPoint(m_look.px(200), -menu->sizeHint().height())));
    });
}

void MainWindow::connectBench() {
    connect(m_bench, &Workbench::opened, this, [this] {
        const Workspace &workspace = *m_bench->workspace();
        const QString name = isRecording(*m_bench) ? tr("%1, recording").arg(workspace.name) : workspace.name;
        m_topBar->setWorkspace(name, workspace.folder);
        setWindowTitle(tr("%1 – Warpwright").arg(name));
        showPage(m_workPage);
        const QJsonObject state = m_state->workspace(workspace.folder);
        m_candidate->openWorkspace(state);
        if (m_agentPanel->unsent().isEmpty())
            m_agentPanel->setUnsent(state[QStringLiteral("unread")].toString());
        m_lastAgent = {};
        if (std::exchange(m_talkedIn, workspace.folder) != workspace.folder)
            m_agent->forgetRun();
        enableActions();
        describeDevice();
        showNoRun();
        lookForLeftRun();
    });
    connect(m_candidate, &CandidatePanel::loaded, this, &MainWindow::settled);
    connect(m_candidate, &CandidatePanel::loaded, this, &MainWindow::showOpenedLesson);
    connect(m_candidate, &CandidatePanel::loaded, this, &MainWindow::playOpenedRecording);
    connect(m_bench, &Workbench::closed, this, [this] {
        m_topBar->setWorkspace({}, {});
        setWindowTitle(QStringLiteral("Warpwright"));
        enableActions();
        if (!m_isOpening)
            showStartPage();
    });
    connect(m_bench, &Workbench::failed, this, [this](const QString &title, const QString &text) {
        sayTrouble(title, text);
        m_lessonToShow.clear();
        m_toContinue.clear();
        m_recordingToPlay.reset();
        if (!m_bench->workspace() && m_pages->currentWidget() == m_workPage)
            showStartPage();
        emit settled();
    });
    connect(m_bench, &Workbench::noticed, this, [this](const QString &title, const QString &text) {
        m_toasts->show(newsNotice(title, text, true));
    });
    const auto notice = [this](const QString &title, const QString &text, bool isTrouble) {
        if (isTrouble)
            sayTrouble(title, text);
        else
            m_toasts->show(newsNotice(title, text));
    };
    connect(m_profile, &ProfilePanel::noticed, this,
            [this](const QString &title) { m_toasts->closeAll(title); });
    connect(m_candidate, &CandidatePanel::noticed, this, notice);
    connect(m_candidate, &CandidatePanel::draftFound, this,
            [this](const QString &title, const QString &text, const std::function<void()> &bringBack) {
                Notice draft = newsNotice(title, text, true);
                draft.actionName = tr("Bring it back");
                draft.action = bringBack;
                m_toasts->show(draft);
            });
    connect(m_bench, &Workbench::filesChanged, this, &MainWindow::enableActions);
    connect(m_profile, &ProfilePanel::noticed, this, notice);
    connect(m_build, &BuildPanel::settingsAsked, this, &MainWindow::showSettings);
    connect(m_bench, &Workbench::shownChanged, this, [this] {
        m_iterations->setShown(m_bench->shown().iteration);
        showBanner();
        enableActions();
    });
    connect(m_bench, &Workbench::iterationsChanged, this, &MainWindow::showRecords);
    connect(m_bench, &Workbench::runChanged, this, [this] {
        if (const int number = m_bench->checkedIteration(); number > 0)
            m_iterations->setChecked(number); // until its records are read again
        showBanner();
        enableActions();
        m_topBar->setProgress(m_bench->progressNow(), m_bench->isRunning(), m_bench->isStopping());
    });
    connect(m_bench, &Workbench::checked, this, &MainWindow::announce);
    connect(m_profile, &ProfilePanel::iterationPicked, this, &MainWindow::showIteration);
    connect(m_build, &BuildPanel::placeActivated, this, &MainWindow::goTo);
    connect(&m_profile->assembly(), &AssemblyPage::placeActivated, this, &MainWindow::goTo);
    connect(m_profile, &ProfilePanel::lineActivated, this,
            [this](const QString &file, int line) { goTo(file, line, 1); });
    connect(&m_profile->assembly(), &AssemblyPage::placeHovered, this, [this](const QString &file, int line) {
        if (CodeEditor *editor = m_candidate->currentEditor(); editor != nullptr)
            editor->decorator<LitLine>().setLine(file == m_candidate->currentFile() ? line : 0);
    });
    connect(m_candidate, &CandidatePanel::placeChanged, &m_profile->assembly(), &AssemblyPage::follow);
    connect(m_candidate, &CandidatePanel::lineHovered, &m_profile->assembly(), &AssemblyPage::hover);
    connect(m_candidate, &CandidatePanel::saved, &m_profile->assembly(), &AssemblyPage::refresh);
    connect(m_candidate, &CandidatePanel::placeChanged, this,
            [this](const QString &file, int line, int column) {
                m_status->setPlace(tr("%1   Ln %2, Col %3").arg(file).arg(line).arg(column));
            });
    connect(m_candidate, &CandidatePanel::written, this, [this] {
        m_status->setSaved(tr("Saved %1").arg(QTime::currentTime().toString(QStringLiteral("HH:mm:ss"))));
    });
    connect(m_candidate, &CandidatePanel::saved, m_bench, &Workbench::textSaved);
    connect(m_candidate, &CandidatePanel::editsChanged, m_bench, &Workbench::setEdits);
    m_idle.setSingleShot(true);
    m_idle.setInterval(saveWhenIdleMs);
    connect(m_candidate, &CandidatePanel::editsChanged, &m_idle, [this] { m_idle.start(); });
    connect(&m_idle, &QTimer::timeout, this, [this] {
        if (m_bench->settings().compileOn == QLatin1String("idle") && m_candidate->hasUnsaved() &&
            m_bench->readOnlyReason().isEmpty())
            m_candidate->saveAll([](bool) {});
    });
    connect(m_candidate, &CandidatePanel::zoomAsked, this, &MainWindow::changeScale);
}

// What an agent's message names: a place in the workspace or an iteration.
void MainWindow::follow(const QString &address) {
    const MessageLink link = messageLink(address);
    if (link.iteration > 0) {
        if (m_iterations->recordOf(link.iteration) != nullptr)
            m_bench->showIteration(link.iteration);
        else
            m_toasts->show(newsNotice(tr("There is no iteration %1").arg(link.iteration),
                                      tr("The message names one that this workspace does not have.")));
    } else if (!link.file.isEmpty()) {
        goTo(link.file, std::max(1, link.line), std::max(1, link.column));
    } else {
        m_toasts->show(
            newsNotice(tr("Not opened"),
                       tr("\"%1\" leads out of the workspace. Copy it, if you trust it.").arg(address)));
    }
}

void MainWindow::showBanner() {
    BannerState state;
    const Shown &shown = m_bench->shown();
    state.evaluation = shown.evaluation;
    state.figures = shown.figures;
    state.iteration = shown.iteration;
    state.evaluated = shown.evaluated;
    const SharedTree tree = shownTree();
    state.iterationCount = tree->records.empty() ? 0 : tree->records.back().iteration.number;
    state.edits = shown.evaluation ? m_bench->edits() : 0;
    state.isEarlier = shown.isEarlier;
    state.locked = m_bench->readOnlyWords();
    state.isRunning = m_bench->isRunning() && !shown.isEarlier;
    state.isStopping = m_bench->isStopping();
    state.progress = m_bench->progressNow();
    state.passedStages = m_bench->passedStages();
    if (m_agent != nullptr && !shown.isEarlier)
        state.proposal = m_agent->proposal();
    const std::optional<StageProgress> work = m_agent != nullptr ? m_agent->work() : std::nullopt;
    if (work && !state.proposal && !shown.isEarlier) { // of a proposal the banner tells itself
        state.isRunning = true;
        state.progress = *work;
        state.passedStages.clear();
        state.isOfRun = m_agent->measuredFirst() > 0;
    } else if (state.proposal && !state.isRunning) {
        state.progress = m_agent->step();
    }
    m_banner->show(state);
    // Of the live text, and not in the tree of a past run.
    m_iterations->setProposal(m_agent != nullptr && shown.replay.isEmpty() ? m_agent->proposal()
                                                                           : std::nullopt);
    // The next step: back to one's own text, mend what failed, or check. Check itself is the filled button
    // above.
    QAction *next = nullptr;
    if (shown.isEarlier) // the bar of a replay has it
        next = shown.replay.isEmpty() ? m_actions->backToText : nullptr;
    else if (state.isRunning || state.proposal)
        next = nullptr;
    else if (state.evaluation && state.edits == 0 && state.evaluation->verdict == Verdict::BuildFailed)
        next = m_actions->nextMark;
    m_banner->setNextAction(next);

    if (m_bench->isRunning()) {
        m_status->setState(QStringLiteral("running"), "accent.text",
                           m_bench->isStopping() ? tr("Stopping") : workText(m_bench->progressNow()));
    } else if (work) {
        m_status->setState(QStringLiteral("running"), "accent.text", workText(*work));
    } else if (m_counters->isRunning()) {
        m_status->setState(QStringLiteral("running"), "accent.text",
                           tr("%1 · %2").arg(m_counters->title(), m_counters->step()));
    } else if (const QString asker = m_agent != nullptr ? m_agent->asker() : QString(); !asker.isEmpty()) {
        m_status->setState(
            QStringLiteral("person"), "accent.text",
            tr("%1 waits for your answer (%2)")
                .arg(asker, m_actions->answerAgent->shortcut().toString(QKeySequence::NativeText)));
    } else if (m_agent != nullptr && m_agent->session() != nullptr && m_agent->session()->isPaused()) {
        m_status->setState(QStringLiteral("pause"), "accent.text", tr("The run is paused: Go on resumes it"));
    } else if (state.proposal && state.proposal->waits) {
        m_status->setState(
            QStringLiteral("review"), "accent.text",
            tr("Proposal %1 waits for you: %2").arg(state.proposal->number).arg(state.proposal->progress));
    } else if (shown.evaluation) {
        const VerdictLook look =
            state.edits > 0 ? staleLook() : lookOf(shown.evaluation->verdict, shown.evaluation->unexercised);
        QString text = shown.evaluated.isEmpty() ? tr("Iteration %1: %2").arg(shown.iteration).arg(look.word)
                                                 : tr("Of %1: %2").arg(shown.evaluated, look.word);
        if (const QString took = checkedInText(*shown.evaluation); !took.isEmpty() && state.edits == 0)
            text += QStringLiteral(", ") + took;
        m_status->setState(QString::fromLatin1(look.icon), look.ink, text);
    } else {
        m_status->setState(QStringLiteral("accept"), "text.secondary", tr("Ready"));
    }
}

void MainWindow::enableActions() {
    if (m_replay != nullptr)
        enableReplay();
    const bool isOpen = m_bench->workspace().has_value();
    const bool isRunning = m_bench->isRunning();
    const Shown &shown = m_bench->shown();
    const QString locked = m_bench->readOnlyReason();
    const auto say = [](QAction *action, const QString &why) {
        Actions::setReason(action, why);
    };
    const bool hasRun = m_agent != nullptr && m_agent->isRunning();
    const QString inRun = hasRun ? m_lesson->runWords() : QString();
    const bool hasCandidateNow = isOpen && !m_bench->workspace()->modelNewFile.isEmpty();
    say(m_actions->followLesson, hasRun ? inRun : QString());
    say(m_actions->budgets, isOpen ? QString() : noWorkspace());
    for (QAction *tune : m_actions->tuneModels() + m_actions->tuneAgents() +
                             QList<QAction *>{m_actions->tunePlaybook, m_actions->tuneScript})
        say(tune, !isOpen            ? noWorkspace()
                  : hasRun           ? inRun
                  : isRunning        ? tr("a check is running")
                  : !hasCandidateNow ? tr("there is no candidate yet")
                                     : locked);
    const QString noCheck = !isOpen             ? noWorkspace()
                            : hasRun            ? inRun
                            : !locked.isEmpty() ? locked
                            : shown.isEarlier ? tr("an earlier iteration is shown; branch from it or go back")
                                              : QString();
    say(m_actions->check, noCheck);
    say(m_actions->certify, noCheck);
    say(m_actions->sweepConfigs, noCheck.isEmpty() ? m_whyNoSweep : noCheck);
    enableCounters();
    enableComparing();
    enableFiles();
    say(m_actions->stop, isRunning || hasRun || m_counters->isRunning() ? QString() : tr("nothing runs"));
    say(m_actions->closeWorkspace, isOpen ? QString() : noWorkspace());
    const bool hasCandidate = isOpen && !m_bench->workspace()->modelNewFile.isEmpty();
    say(m_actions->beginCandidate, !isOpen        ? noWorkspace()
                                   : hasCandidate ? tr("there is a candidate already")
                                                  : locked);
    const QString noEdit = !isOpen           ? noWorkspace()
                           : shown.isEarlier ? tr("an earlier iteration is read-only")
                                             : locked;
    for (QAction *action :
         {m_actions->save, m_actions->newKernel, m_actions->renameFile, m_actions->deleteFile,
          m_actions->toggleComment, m_actions->addOccurrence, m_actions->replace})
        say(action, noEdit);
    for (QAction *action :
         {m_actions->find, m_actions->goToLine, m_actions->matchingBrace, m_actions->nextMark,
          m_actions->previousMark, m_actions->toggleFold, m_actions->unfoldAll})
        say(action, isOpen ? QString() : noWorkspace());
    say(m_actions->backToText, shown.isEarlier ? QString() : tr("your own text is shown"));
    // What is answered is written by the run, and nothing else meanwhile.
    for (QAction *action :
         {m_actions->save, m_actions->newKernel, m_actions->renameFile, m_actions->deleteFile})
        if (hasRun)
            say(action, inRun);
    say(m_actions->branchHere, !shown.isEarlier ? tr("pick an earlier iteration first")
                               : hasRun         ? inRun
                               : isRunning      ? tr("a check is running")
                                                : locked);
    const bool hasSeveral = m_bench->iterations().size() > 1;
    for (QAction *action : {m_actions->previousIteration, m_actions->nextIteration})
        say(action, hasSeveral ? QString() : tr("there is no other iteration"));
    const QString noChart = m_profile->hasNumbers() ? QString() : tr("nothing was measured yet");
    for (QAction *action : {m_actions->exportPng, m_actions->exportSvg, m_actions->exportCsv})
        say(action, noChart);
}

void MainWindow::goToDiagnostic(int by) {
    const CompileSection *compile = m_bench->compileShown();
    if (compile == nullptr)
        return;
    // All that lead somewhere, in the order of the list; from the one at the cursor on, round and round.
    std::vector<const Diagnostic *> places;
    for (const Diagnostic &diagnostic : compile->diagnostics)
        if (!diagnostic.file.isEmpty() && diagnostic.line > 0)
            places.push_back(&diagnostic);
    if (places.empty())
        return;
    const EditorPlace here = m_candidate->currentEditor()->cursorPlace();
    const QString file = m_candidate->currentFile();
    const auto count = static_cast<int>(places.size());
    int at = by > 0 ? -1 : 0;
    for (int i = 0; i < count; ++i)
        if (places[static_cast<std::size_t>(i)]->file == file &&
            places[static_cast<std::size_t>(i)]->line == here.line)
            at = i;
    const Diagnostic &next = *places[static_cast<std::size_t>((at + by + count) % count)];
    const CodeEditor *editor = m_candidate->editorOf(next.file);
    goTo(next.file, next.line,
         editor == nullptr ? next.column
                           : quotedPlace(next.message, editor->text(next.line - 1), next.column).from);
}

void MainWindow::announce(const Evaluation &evaluation) {
    m_build->showFor(evaluation.verdict);
    const int exitCode = exitCodeFor(evaluation.verdict);
    if (exitCode != 2 || evaluation.message.isEmpty())
        return;
    // What the person cannot see in the panes: the machine or the task is at fault.
    sayTrouble(evaluation.message.what, plainText(evaluation.message));
}

} // namespace warpwright
