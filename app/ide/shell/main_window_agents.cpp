// SPDX-License-Identifier: GPL-3.0-or-later
// The agents in the window: who can be asked to begin a run, and how one begins.
#include "agent/factory/agent_by_name.h"
#include "app/ide/agent/agent_desk.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/agent/answers_out.h"
#include "app/ide/agent/way_back.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/lesson_desk.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verify_page.h"
#include "app/ide/review/proposal_check.h"
#include "app/ide/settings/agents_table.h"
#include "app/ide/settings/models_table.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/workbench/job.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/toasts.h"

#include <QStackedWidget>

namespace warpwright {
namespace {

constexpr QLatin1String nextBudgets("nextBudgets"); ///< in the window's state
constexpr qsizetype mostOffered = 3;                ///< models and agents in the empty pane; the menu has all
constexpr qsizetype mostInNotice = 160;             ///< letters of a question; the pane has all

QString answersTitle() {
    return MainWindow::tr("Accepted hunks are in the text");
}

/// As a sentence begins with it.
QString subjectOf(const AgentName &agent) {
    return agent.isNamed() ? agent.name : MainWindow::tr("The %1").arg(agent.text());
}

} // namespace

void MainWindow::connectAgent() {
    m_agent = new AgentDesk(m_look,
                            {*m_bench, *m_candidate, *m_agentPanel, *m_topBar, *m_actions, *m_profile}, this);
    auto *back = new WayBack(*m_bench, m_actions->branchHere, this);
    connect(back, &WayBack::turned, this, [this] {
        if (m_agentPanel->events().rowCount() > 0)
            offerRuns();
    });
    showNoRun();
    connect(m_agent, &AgentDesk::runChanged, this, [this] {
        enableActions();
        showBanner();
        offerRuns();
    });
    connect(&m_agent->talk(), &AgentTalk::spokenToNobody, this, &MainWindow::readMessage);
    connectFailure();
    const QString brokenOff = tr("The run was broken off; it can be continued");
    connect(m_agent, &AgentDesk::runChanged, this, [this, brokenOff] {
        if (m_agent->isRunning())
            for (const QString &title :
                 {brokenOff, tr("Cannot continue the run"), tr("Cannot begin the run"), answersTitle()})
                m_toasts->closeAll(title);
    });
    connect(m_agent, &AgentDesk::brokenOff, this, [this, brokenOff](const QString &why) {
        m_toasts->closeAll(brokenOff);
        if (!settingsRowIn(why).isEmpty())
            return sayTrouble(brokenOff, why);
        Notice notice = troubleNotice(brokenOff, why);
        notice.actionName = tr("Continue");
        notice.action = [this] {
            m_actions->continueRun->trigger();
        };
        m_toasts->show(notice);
    });
    connect(m_agent, &AgentDesk::reviewAsked, this, [this] {
        if (m_pages->currentWidget() != m_workPage)
            showPage(m_workPage);
        constexpr int candidate = 1;
        if (m_four->enlarged() >= 0 && m_four->enlarged() != candidate)
            m_four->enlarge(m_four->enlarged()); // all alike again
    });
    connect(m_agent, &AgentDesk::worked, this, &MainWindow::showBanner);
    connect(m_agent, &AgentDesk::worked, this, &MainWindow::showMeasuredFirst);
    connect(m_agent, &AgentDesk::runChanged, this, &MainWindow::showMeasuredFirst);
    connect(m_candidate, &CandidatePanel::loaded, this, &MainWindow::tellAnswers);
    const Result<Json> budgets = parseJson(m_state->bytes(nextBudgets));
    m_agent->setNextBudgets(budgets.hasValue() ? budgetsFromJson(budgets.value()) : RunBudgets());
    connect(m_agent, &AgentDesk::nextBudgetsChanged, this, [this](const RunBudgets &changed) {
        m_state->setBytes(nextBudgets, dumpJson(budgetsToJson(changed)));
    });
    connectQuestions();
    m_actions->expertFirst->setChecked(m_state->bytes(QStringLiteral("expertFirst")) == "yes");
    connect(m_agentPanel, &AgentPanel::linkActivated, this, &MainWindow::follow);
    connect(m_agent, &AgentDesk::noticed, this,
            [this](const QString &title, const QString &text, bool isTrouble) {
                if (isTrouble)
                    sayTrouble(title, text);
                else
                    m_toasts->show(newsNotice(title, text));
            });
    connect(m_actions->tunePlaybook, &QAction::triggered, this, [this] {
        beginRun({AuthorKind::Playbook, {}});
    });
    connect(m_actions->tuneScript, &QAction::triggered, this, [this] {
        askForFile(this, {FileQuestion::Of::Folder, tr("A folder of patches")},
                   [this](const QString &folder) {
                       beginRun({AuthorKind::Script, {}}, folder);
                   });
    });
    connect(m_actions, &Actions::tuneModelAsked, this, [this](const QString &name) {
        beginRun({AuthorKind::Model, name},
                 m_actions->expertFirst->isChecked() ? QString::fromLatin1(expertFirst) : QString());
    });
    connect(m_actions, &Actions::tuneAgentAsked, this, [this](const QString &name) {
        beginRun({AuthorKind::Acp, name});
    });
    connect(m_agent, &AgentDesk::agentMissing, this, &MainWindow::offerOthers);
    connect(m_actions->setUpModel, &QAction::triggered, this, [this] {
        showSettings(tr("Models"));
        m_settingsPage->models().offerNew();
    });
    connect(m_actions->setUpAgent, &QAction::triggered, this, [this] {
        showSettings(tr("Agents"));
        m_settingsPage->agents().offerNew();
    });
    connect(m_actions, &Actions::offersChanged, this, [this] {
        if (!m_agent->isRunning() && m_left.run.isEmpty())
            showNoRun();
    });
}

// Which models and which agents of other programs a run can begin with.
void MainWindow::connectOffers() {
    const ModelsTable &models = m_settingsPage->models();
    connect(&models, &ModelsTable::changed, this, [this, &models] {
        QStringList names;
        for (const ModelProfile &profile : models.profiles())
            names << profile.name;
        m_actions->setModels(names);
    });
    const AgentsTable &agents = m_settingsPage->agents();
    connect(&agents, &AgentsTable::changed, this,
            [this, &agents] { m_actions->setAgents(agents.offered()); });
    readOffers();
}

void MainWindow::readOffers() {
    m_settingsPage->models().read();
    m_settingsPage->agents().read();
}

// A question waits in the agent's pane. Where that is not to be seen, the window says so.
void MainWindow::connectQuestions() {
    const QString title = tr("The agent asks you");
    connect(m_agent, &AgentDesk::asked, this, [this, title](const QString &who, const QString &question) {
        m_toasts->closeAll(title);
        m_agentDock->setCall(who.isEmpty() ? QString() : tr("waits for you"));
        if (who.isEmpty() || (m_agentDock->isVisible() && !m_agentDock->isFolded()))
            return;
        Notice notice = newsNotice(title, QStringLiteral("%1: %2").arg(who, question.left(mostInNotice)));
        notice.actionName = tr("Answer");
        notice.action = [this] {
            m_actions->answerAgent->trigger();
        };
        m_toasts->show(notice);
    });
    connect(m_actions->answerAgent, &QAction::triggered, this, [this] {
        showPage(m_workPage);
        m_agentDock->reveal();
        // Behind the candidate, which that page gives the keys to.
        QMetaObject::invokeMethod(m_agentPanel, &AgentPanel::focusPrompt, Qt::QueuedConnection);
    });
}

// Before its first proposal a run measures the text, which may take minutes.
void MainWindow::showMeasuredFirst() {
    const int number = m_agent->measuredFirst();
    const StageProgress now = m_agent->work().value_or(StageProgress());
    m_build->setMeasuredByRun(number > 0 ? &now : nullptr);
    if (number > 0 || m_agent->isRunning())
        m_iterations->setChecked(number, true);
}

// What failed is asked about where agents are talked to; which lines store comes from the kernels' listing.
void MainWindow::connectFailure() {
    VerifyPage &verify = m_build->verify();
    connect(&verify, &VerifyPage::agentAsked, this, [this](const QString &question) {
        m_agentStack->setCurrentWidget(m_agentPanel);
        m_agentDock->reveal();
        m_agentPanel->compose(question);
    });
    AssemblyPage &assembly = m_profile->assembly();
    assembly.readFor(verify.inspectionReader());
    const auto read = [&verify, &assembly] {
        verify.setInspection(assembly.isSettled() ? assembly.inspection() : nullptr);
    };
    auto *proposed = new ProposalCheck(*m_bench, this);
    const auto follow = [this, proposed] {
        proposed->follow(m_agent->session());
    };
    connect(m_agent, &AgentDesk::runChanged, proposed, follow);
    connect(proposed, &ProposalCheck::changed, m_build,
            [this, proposed] { m_build->setProposed(proposed->now()); });
    connect(m_agentPanel, &AgentPanel::checkPicked, m_build, [this](const QString &page) {
        showPage(m_workPage);
        m_build->showPage(page);
    });
    connect(&assembly, &AssemblyPage::settled, &verify, read);
    connect(m_bench, &Workbench::shownChanged, &verify, read);
    // Launch bounds, too, for the kernels that were compiled: after the panel has shown them.
    const auto bound = [this, &assembly] {
        m_build->setInspection(assembly.isSettled() ? assembly.inspection() : nullptr);
    };
    connect(&assembly, &AssemblyPage::settled, m_build, bound);
    connect(m_bench, &Workbench::shownChanged, m_build, bound);
    connect(m_bench, &Workbench::compiledTextChanged, m_build, bound);
}

// What was typed is saved first: the run is of the text that is seen.
void MainWindow::beginRun(const AgentName &agent, const QString &source) {
    m_lastAgent = agent.isNamed() ? agent : AgentName();
    m_lastSource = agent.isNamed() ? source : QString();
    m_candidate->saveAll([this, agent, source](bool isSaved) {
        if (!isSaved)
            return;
        m_agentDock->reveal(); // what it says and asks is there
        m_agent->begin(agent, source, SessionMode::Review, m_agent->nextBudgets());
    });
}

// Its model or program was renamed or removed: the run can go on with another of its kind.
void MainWindow::offerOthers(const QString &run, const AgentName &missing) {
    QStringList names;
    if (missing.kind == AuthorKind::Model) {
        for (const ModelProfile &profile : m_settingsPage->models().profiles())
            names << profile.name;
    } else {
        names = m_settingsPage->agents().offered();
    }
    if (names.isEmpty() || m_agentPanel->events().rowCount() > 0)
        return;
    qDeleteAll(std::exchange(m_others, {}));
    for (const QString &name : names.mid(0, mostOffered)) {
        auto *goOn = new QAction(tr("Go on with %1").arg(name), this);
        goOn->setObjectName(QStringLiteral("goOnWith-") + name);
        connect(goOn, &QAction::triggered, this, [this, run, other = AgentName{missing.kind, name}] {
            const auto save = [this, run, other] {
                m_candidate->saveAll([this, run, other](bool isSaved) {
                    if (isSaved)
                        m_agent->continueRun(run, other);
                });
            };
            takeAnswersOut(*m_candidate, *m_bench, run, this, save);
        });
        m_others << goOn;
    }
    m_agentPanel->showEmpty(tr("Its agent is not set up any more"),
                            tr("The run was by %1. Another one can go on from there, with what was said so "
                               "far; the record says so.")
                                .arg(missing.name),
                            m_others);
}

void MainWindow::showNoRun() {
    m_left = {};
    m_agent->setLeftRun({});
    if (m_agentPanel->events().rowCount() > 0)
        return offerRuns(); // what the last run has said stays in sight
    if (const auto &lesson = m_lesson->contents(); lesson && !lesson->isRecording && !lesson->elsewhere) {
        auto *closing = m_actions->findChild<QAction *>(QStringLiteral("closingPicture"));
        if (!lesson->story.hasBegun())
            return m_agentPanel->showEmpty(
                tr("The lesson has not begun"),
                tr("«Begin the lesson» measures the text that you begin with, and proposes the first step. "
                   "You "
                   "bet on each, look at its hunks, accept or reject them, and go on. The lesson's page "
                   "tells "
                   "the task."),
                {m_actions->beginLesson, m_actions->showLesson, m_actions->betsFirst});
        if (lesson->isFinished())
            return m_agentPanel->showEmpty(
                tr("All steps of the lesson are decided"),
                tr("The closing picture has the time of each step, beside what was predicted and bet."),
                {closing, m_actions->showLesson, m_actions->beginLessonAnew});
    }
    m_agentPanel->showEmpty(
        tr("No agent runs"),
        tr("The playbook is the built-in expert and needs no model. A language model, or another program's "
           "agent, works with the same compiler and judge. The menu «Agent» has lessons to follow, and "
           "series of patches to review."),
        offeredRuns());
}

QList<QAction *> MainWindow::offeredRuns() const {
    QList<QAction *> offered{m_actions->tunePlaybook};
    offered += (m_actions->tuneModels() + m_actions->tuneAgents()).mid(0, mostOffered);
    if (m_actions->tuneModels().isEmpty())
        offered << m_actions->setUpModel;
    if (m_actions->tuneAgents().isEmpty())
        offered << m_actions->setUpAgent;
    if (m_actions->beginLesson->isEnabled())
        offered.prepend(m_actions->beginLesson);
    if (auto *closing = m_actions->findChild<QAction *>(QStringLiteral("closingPicture"));
        closing->isEnabled())
        offered.prepend(closing);
    return offered << m_actions->budgets << m_actions->betsFirst;
}

// After a run: what can be done next stands below its conversation, and the box says who would read it.
void MainWindow::offerRuns() {
    if (m_agent->isRunning()) {
        const Session *session = m_agent->session();
        // Also of a run that was continued.
        if (const AgentName works = m_agent->agent(); works != m_lastAgent) {
            m_lastAgent = works.isNamed() ? works : AgentName();
            m_lastSource.clear();
        }
        // Once it has ended, another run of it would be one more.
        m_actions->tunePlaybook->setText(m_agent->agent().kind == AuthorKind::Playbook
                                             ? tr("Let the playbook tune again")
                                             : tr("Let the playbook tune"));
        const bool isAsked = session != nullptr && session->state() == SessionState::AwaitingReview;
        m_agentPanel->setChoices({});
        if (const AuthorKind kind = m_agent->agent().kind; kind == AuthorKind::Playbook)
            return m_agentPanel->setReader(
                tr("The playbook reads no messages; the record of the run keeps them"), tr("keeps it"));
        else if (kind == AuthorKind::Script)
            return m_agentPanel->setReader(
                m_lesson->contents() ? tr("Your notes: nobody answers, the record of the lesson keeps them")
                                     : tr("A series of patches reads no messages; the record of the run "
                                          "keeps them"),
                tr("keeps it"));
        return m_agentPanel->setReader(
            isAsked ? tr("Message the agent; it reads it after your answer") : QString(), {});
    }
    QList<QAction *> choices = offeredRuns();
    if (m_agentPanel->events().rowCount() > 0 && !m_agent->lastRun().isEmpty())
        choices.prepend(m_actions->openRun);
    if (auto *back = findChild<WayBack *>(); back != nullptr && back->leads())
        choices.prepend(back);
    const bool isLeft = !m_left.run.isEmpty() && !m_left.process;
    if (isLeft)
        choices.prepend(m_actions->continueRun);
    m_agentPanel->setChoices(choices);
    const QString last = m_lastAgent.name;
    if (isLeft && m_left.agent.isNamed()) // others read nothing
        m_agentPanel->setReader(tr("Message %1, and its run goes on").arg(subjectOf(m_left.agent)),
                                tr("continues the run"));
    else if (m_lastAgent.isNamed())
        m_agentPanel->setReader(tr("Message %1, and another run begins").arg(last), tr("begins a run"));
    else
        m_agentPanel->setReader(tr("No agent runs; it waits for the next one"), tr("keeps it"));
}

// Written where no agent works: the one that it is for begins, with it.
void MainWindow::readMessage() {
    if (!m_left.run.isEmpty() && !m_left.process && m_left.agent.isNamed())
        m_actions->continueRun->trigger();
    else if (m_lastAgent.isNamed())
        beginRun(m_lastAgent, m_lastSource);
}

// What came back after a crash may be hunks that were accepted: who saves or undoes them would answer twice.
void MainWindow::tellAnswers() {
    if (m_left.run.isEmpty() || m_left.process || m_agent->isRunning() || m_toldAnswers == m_left.run)
        return;
    findAnswers(*m_candidate, *m_bench, m_left.run, this,
                [this, run = m_left.run](const QStringList &files, bool isAll) {
                    if (m_left.run != run || m_agent->isRunning() || m_toldAnswers == run)
                        return;
                    m_toldAnswers = run;
                    m_toasts->closeAll(CandidatePanel::tr("Unsaved text is back"));
                    const QString text =
                        tr("What you accepted of proposal %1 stands in %2, and is not written yet. Continue "
                           "takes it up as answered; there is nothing to save or to undo.")
                            .arg(m_left.proposal)
                            .arg(files.join(QStringLiteral(", ")));
                    const QString more =
                        isAll ? QString() : tr(" What you typed beside it is back, too, and stays.");
                    Notice notice = newsNotice(answersTitle(), text + more, true);
                    notice.actionName = tr("Continue");
                    notice.action = [this] {
                        m_actions->continueRun->trigger();
                    };
                    m_toasts->show(notice);
                });
}

// Stopped, or its program died: whoever comes back finds it again.
void MainWindow::lookForLeftRun() {
    if (!m_bench->workspace() || m_agent->isRunning())
        return;
    inPool(
        this, [path = openedPath(), folders = m_bench->folders()] { return leftWorkIn(path, folders); },
        [this, path = openedPath()](const LeftWork &work) {
            if (openedPath() != path || m_agent->isRunning() || work.left.run.isEmpty())
                return;
            m_left = work.left;
            m_agent->setLeftRun(work.left);
            enableReplay();
            tellAnswers();
            continueOpened();
            if (m_agentPanel->events().rowCount() > 0)
                return offerRuns();
            m_agentPanel->showEmpty(leftTitle(work), leftWords(work),
                                    work.left.process
                                        ? QList<QAction *>()
                                        : QList<QAction *>{m_actions->continueRun} + offeredRuns());
        });
}

} // namespace warpwright
