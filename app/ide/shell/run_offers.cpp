// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/run_offers.h"

#include "agent/factory/agent_by_name.h"
#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/agent/answers_out.h"
#include "app/ide/agent/way_back.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/settings/agents_table.h"
#include "app/ide/settings/models_table.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/work_display.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/toasts.h"

#include <QAction>
#include <QFileInfo>

#include <utility>

namespace warpwright {
namespace {

constexpr QLatin1String nextBudgets("nextBudgets"); ///< in the window's state
constexpr qsizetype mostOffered = 3;                ///< models and agents in the empty pane; the menu has all

QString answersTitle() {
    return RunOffers::tr("Accepted hunks are in the text");
}

/// As a sentence begins with it.
QString subjectOf(const AgentName &agent) {
    return agent.isNamed() ? agent.name : RunOffers::tr("The %1").arg(agent.text());
}

} // namespace

RunOffers::RunOffers(const WindowParts &parts, QObject *parent)
    : QObject(parent), m_parts(parts), m_wayBack(new WayBack(*parts.bench, parts.actions->branchHere, this)) {
    connect(m_wayBack, &WayBack::turned, this, [this] {
        if (m_parts.agentPanel->events().rowCount() > 0)
            offer();
    });
    showNoRun();
    connect(m_parts.agent, &AgentController::runChanged, this, [this] {
        m_parts.reasons->update();
        m_parts.display->showNow();
        offer();
        if (m_parts.agent->isRunning())
            m_parts.toasts->closeAll(answersTitle());
    });
    connect(&m_parts.agent->talk(), &AgentTalk::spokenToNobody, this, &RunOffers::readMessage);
    connect(m_parts.candidate, &CandidatePanel::loaded, this, &RunOffers::tellAnswers);
    const Result<Json> budgets = parseJson(m_parts.state->bytes(nextBudgets));
    m_parts.agent->setNextBudgets(budgets.hasValue() ? budgetsFromJson(budgets.value()) : RunBudgets());
    connect(m_parts.agent, &AgentController::nextBudgetsChanged, this, [this](const RunBudgets &changed) {
        m_parts.state->setBytes(nextBudgets, dumpJson(budgetsToJson(changed)));
    });
    connectActions();
    connect(m_parts.agent, &AgentController::agentMissing, this, &RunOffers::offerOthers);
}

void RunOffers::connectActions() {
    const Actions &a = *m_parts.actions;
    a.expertFirst->setChecked(m_parts.state->bytes(QStringLiteral("expertFirst")) == "yes");
    connect(a.tunePlaybook, &QAction::triggered, this, [this] { begin({AuthorKind::Playbook, {}}); });
    connect(a.tuneScript, &QAction::triggered, this, [this] {
        askForFile(m_parts.window, {FileQuestion::Of::Folder, tr("A folder of patches")},
                   [this](const QString &folder) {
                       begin({AuthorKind::Script, {}}, folder);
                   });
    });
    connect(m_parts.actions, &Actions::tuneModelAsked, this, [this](const QString &name) {
        begin({AuthorKind::Model, name},
              m_parts.actions->expertFirst->isChecked() ? QString::fromLatin1(expertFirst) : QString());
    });
    connect(m_parts.actions, &Actions::tuneAgentAsked, this, [this](const QString &name) {
        begin({AuthorKind::Acp, name});
    });
    connect(m_parts.actions, &Actions::offersChanged, this, [this] {
        if (!m_parts.agent->isRunning() && m_left.run.isEmpty())
            showNoRun();
    });
}

void RunOffers::workspaceOpened() {
    m_lastAgent = {};
    const QString folder = m_parts.bench->workspace()->folder;
    if (std::exchange(m_talkedIn, folder) != folder)
        m_parts.agent->forgetRun();
}

// What was typed is saved first: the run is of the text that is seen.
void RunOffers::begin(const AgentName &agent, const QString &source) {
    m_lastAgent = agent.isNamed() ? agent : AgentName();
    m_lastSource = agent.isNamed() ? source : QString();
    m_parts.candidate->saveAll([this, agent, source](bool isSaved) {
        if (!isSaved)
            return;
        m_parts.agentDock->reveal(); // what it says and asks is there
        m_parts.agent->begin(agent, source, SessionMode::Review, m_parts.agent->nextBudgets());
    });
}

// Its model or program was renamed or removed: the run can go on with another of its kind.
void RunOffers::offerOthers(const QString &run, const AgentName &missing) {
    QStringList names;
    if (missing.kind == AuthorKind::Model) {
        for (const ModelProfile &profile : m_parts.settingsPage->models().profiles())
            names << profile.name;
    } else {
        names = m_parts.settingsPage->agents().offered();
    }
    if (names.isEmpty() || m_parts.agentPanel->events().rowCount() > 0)
        return;
    qDeleteAll(std::exchange(m_others, {}));
    for (const QString &name : names.mid(0, mostOffered)) {
        auto *goOn = new QAction(tr("Go on with %1").arg(name), this);
        goOn->setObjectName(QStringLiteral("goOnWith-") + name);
        connect(goOn, &QAction::triggered, this, [this, run, other = AgentName{missing.kind, name}] {
            const auto save = [this, run, other] {
                m_parts.candidate->saveAll([this, run, other](bool isSaved) {
                    if (isSaved)
                        m_parts.agent->continueRun(run, other);
                });
            };
            takeAnswersOut(*m_parts.candidate, *m_parts.bench, run, this, save);
        });
        m_others << goOn;
    }
    m_parts.agentPanel->showEmpty(
        tr("Its agent is not set up any more"),
        tr("The run was by %1. Another one can go on from there, with what was said so "
           "far; the record says so.")
            .arg(missing.name),
        m_others);
}

void RunOffers::showNoRun() {
    m_left = {};
    m_parts.agent->setLeftRun({});
    if (m_parts.agentPanel->events().rowCount() > 0)
        return offer(); // what the last run has said stays in sight
    if (showLesson())
        return;
    m_parts.agentPanel->showEmpty(
        tr("No agent runs"),
        tr("The playbook is the built-in expert and needs no model. A language model, or another program's "
           "agent, works with the same compiler and judge. The menu «Agent» has lessons to follow, and "
           "series of patches to review."),
        offered());
}

bool RunOffers::showLesson() {
    const auto &lesson = m_parts.lesson->contents();
    if (!lesson || lesson->isRecording || lesson->elsewhere)
        return false;
    const Actions &a = *m_parts.actions;
    if (!lesson->story.hasBegun()) {
        m_parts.agentPanel->showEmpty(
            tr("The lesson has not begun"),
            tr("«Begin the lesson» measures the text that you begin with, and proposes the first step. You "
               "bet on each, look at its hunks, accept or reject them, and go on. The lesson's page tells "
               "the task."),
            {a.beginLesson, a.showLesson, a.betsFirst});
        return true;
    }
    if (!lesson->isFinished())
        return false;
    m_parts.agentPanel->showEmpty(
        tr("All steps of the lesson are decided"),
        tr("The closing picture has the time of each step, beside what was predicted and bet."),
        {a.findChild<QAction *>(QStringLiteral("closingPicture")), a.showLesson, a.beginLessonAnew});
    return true;
}

QList<QAction *> RunOffers::offered() const {
    QList<QAction *> actions{m_parts.actions->tunePlaybook};
    actions += (m_parts.actions->tuneModels() + m_parts.actions->tuneAgents()).mid(0, mostOffered);
    if (m_parts.actions->tuneModels().isEmpty())
        actions << m_parts.actions->setUpModel;
    if (m_parts.actions->tuneAgents().isEmpty())
        actions << m_parts.actions->setUpAgent;
    if (m_parts.actions->beginLesson->isEnabled())
        actions.prepend(m_parts.actions->beginLesson);
    if (auto *closing = m_parts.actions->findChild<QAction *>(QStringLiteral("closingPicture"));
        closing->isEnabled())
        actions.prepend(closing);
    return actions << m_parts.actions->budgets << m_parts.actions->betsFirst;
}

// After a run: what can be done next stands below its conversation, and the box says who would read it.
void RunOffers::offer() {
    if (m_parts.agent->isRunning())
        return offerOfRunning();
    QList<QAction *> choices = offered();
    if (m_parts.agentPanel->events().rowCount() > 0 && !m_parts.agent->lastRun().isEmpty())
        choices.prepend(m_parts.actions->openRun);
    if (m_wayBack->leads())
        choices.prepend(m_wayBack);
    const bool isLeft = !m_left.run.isEmpty() && !m_left.process;
    if (isLeft)
        choices.prepend(m_parts.actions->continueRun);
    m_parts.agentPanel->setChoices(choices);
    const QString last = m_lastAgent.name;
    if (isLeft && m_left.agent.isNamed()) // others read nothing
        m_parts.agentPanel->setReader(tr("Message %1, and its run goes on").arg(subjectOf(m_left.agent)),
                                      tr("continues the run"));
    else if (m_lastAgent.isNamed())
        m_parts.agentPanel->setReader(tr("Message %1, and another run begins").arg(last), tr("begins a run"));
    else
        m_parts.agentPanel->setReader(tr("No agent runs; it waits for the next one"), tr("keeps it"));
}

void RunOffers::offerOfRunning() {
    const Session *session = m_parts.agent->session();
    const AgentName works = m_parts.agent->agent();
    // Also of a run that was continued.
    if (works != m_lastAgent) {
        m_lastAgent = works.isNamed() ? works : AgentName();
        m_lastSource.clear();
    }
    // Once it has ended, another run of it would be one more.
    m_parts.actions->tunePlaybook->setText(
        works.kind == AuthorKind::Playbook ? tr("Let the playbook tune again") : tr("Let the playbook tune"));
    const bool isAsked = session != nullptr && session->state() == SessionState::AwaitingReview;
    m_parts.agentPanel->setChoices({});
    if (works.kind == AuthorKind::Playbook)
        m_parts.agentPanel->setReader(tr("The playbook reads no messages; the record of the run keeps them"),
                                      tr("keeps it"));
    else if (works.kind == AuthorKind::Script)
        m_parts.agentPanel->setReader(
            m_parts.lesson->contents()
                ? tr("Your notes: nobody answers, the record of the lesson keeps them")
                : tr("A series of patches reads no messages; the record of the run keeps them"),
            tr("keeps it"));
    else
        m_parts.agentPanel->setReader(
            isAsked ? tr("Message the agent; it reads it after your answer") : QString(), {});
}

// Written where no agent works: the one that it is for begins, with it.
void RunOffers::readMessage() {
    if (!m_left.run.isEmpty() && !m_left.process && m_left.agent.isNamed())
        m_parts.actions->continueRun->trigger();
    else if (m_lastAgent.isNamed())
        begin(m_lastAgent, m_lastSource);
}

// What came back after a crash may be hunks that were accepted: who saves or undoes them would answer twice.
void RunOffers::tellAnswers() {
    if (m_left.run.isEmpty() || m_left.process || m_parts.agent->isRunning() || m_toldAnswers == m_left.run)
        return;
    findAnswers(*m_parts.candidate, *m_parts.bench, m_left.run, this,
                [this, run = m_left.run](const QStringList &files, bool isAll) {
                    if (m_left.run != run || m_parts.agent->isRunning() || m_toldAnswers == run)
                        return;
                    m_toldAnswers = run;
                    m_parts.toasts->closeAll(CandidatePanel::tr("Unsaved text is back"));
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
                        m_parts.actions->continueRun->trigger();
                    };
                    m_parts.toasts->show(notice);
                });
}

// Stopped, or its program died: whoever comes back finds it again.
void RunOffers::lookForLeft() {
    if (!m_parts.bench->workspace() || m_parts.agent->isRunning())
        return;
    inPool(
        this,
        [path = m_parts.opener->openedPath(), folders = m_parts.bench->folders()] {
            return leftWorkIn(path, folders);
        },
        [this, path = m_parts.opener->openedPath()](const LeftWork &work) {
            if (m_parts.opener->openedPath() != path || m_parts.agent->isRunning() || work.left.run.isEmpty())
                return;
            m_left = work.left;
            m_parts.agent->setLeftRun(work.left);
            emit leftFound();
            tellAnswers();
            continueOpened();
            if (m_parts.agentPanel->events().rowCount() > 0)
                return offer();
            m_parts.agentPanel->showEmpty(leftTitle(work), leftWords(work),
                                          work.left.process
                                              ? QList<QAction *>()
                                              : QList<QAction *>{m_parts.actions->continueRun} + offered());
        });
}

// Its files are in the editors, and what was left is known: whichever comes later.
void RunOffers::continueOpened() {
    AfterOpening &after = m_parts.opener->after();
    if (after.toContinue.isEmpty() || after.place || m_left.run.isEmpty() || !m_parts.bench->workspace())
        return;
    const QString asked = std::exchange(after.toContinue, QString());
    if (QFileInfo(asked) == QFileInfo(m_parts.opener->openedPath()) &&
        m_parts.actions->continueRun->isEnabled())
        m_parts.actions->continueRun->trigger();
}

} // namespace warpwright
