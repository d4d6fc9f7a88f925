// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent_desk.h"

#include "agent/script_agent.h"
#include "app/ide/actions.h"
#include "app/ide/agent_event_model.h"
#include "app/ide/agent_panel.h"
#include "app/ide/candidate_panel.h"
#include "app/ide/job.h"
#include "app/ide/profile_panel.h"
#include "app/ide/review_desk.h"
#include "app/ide/run_buttons.h"
#include "app/ide/top_bar.h"
#include "app/ide/workbench.h"
#include "toolchain/figures.h"

#include <QAction>
#include <QTime>

namespace warpwright {

AgentDesk::AgentDesk(const Look &look, Places places, QObject *parent)
    : QObject(parent),
      m_places(places),
      m_review(new ReviewDesk(look, places.candidate, places.actions, this)) {
    connect(m_review, &ReviewDesk::refused, this,
            [this](const QString &message) { emit noticed(tr("Not answered"), message, true); });
    connect(&m_places.panel, &AgentPanel::acceptAllAsked, m_review, &ReviewDesk::acceptAll);
    connect(&m_places.panel, &AgentPanel::rejectAllAsked, m_review, &ReviewDesk::rejectAll);
    connect(&m_places.panel, &AgentPanel::hunkPicked, m_review, &ReviewDesk::goTo);
    connect(&m_places.profile, &ProfilePanel::hunkPicked, m_review, &ReviewDesk::goTo);
    connect(&m_places.bench, &Workbench::closed, this, [this] { stop(); });
    connectActions();
}

AgentDesk::~AgentDesk() = default;

void AgentDesk::connectActions() {
    Actions &actions = m_places.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(actions.run, [this] { goOn(); });
    on(actions.pause, [this] {
        if (m_run)
            m_run->session().pause();
    });
    on(actions.stop, [this] { stop(); });
    on(actions.modeReview, [this] { setMode(SessionMode::Review); });
    on(actions.modeStep, [this] { setMode(SessionMode::Step); });
    on(actions.modeAuto, [this] { setMode(SessionMode::Auto); });
    on(actions.measureHunks, [this] { measureHunks(); });
    on(actions.undoStep, [this] {
        if (m_run)
            if (const Result<void> done = m_run->session().answerStep(StepAnswer::Undo); !done.hasValue())
                emit noticed(tr("Not taken back"), done.message(), true);
    });
}

void AgentDesk::setMode(SessionMode mode) {
    if (m_run)
        m_run->session().setMode(mode);
    show();
}

void AgentDesk::beginScript(const QString &folder, SessionMode mode, const RunBudgets &budgets) {
    Result<std::unique_ptr<ScriptAgent>> agent = ScriptAgent::open(folder);
    if (!agent.hasValue()) {
        emit noticed(tr("Cannot begin the run"), agent.message(), true);
        return;
    }
    if (!m_places.bench.workspace())
        return;
    begin(std::move(agent).value(),
          {*m_places.bench.workspace(), m_places.bench.request(), mode, budgets, folder, {}});
}

void AgentDesk::continueScript(const QString &run) {
    if (m_run || m_isReading || !m_places.bench.workspace() || m_places.bench.isRunning())
        return;
    m_isReading = true;
    m_places.bench.lend(true); // what died half-way is finished on the disk
    inPool(
        this,
        [workspace = *m_places.bench.workspace(), run] {
            Result<ContinuedScript> script = warpwright::continueScript(workspace, run, {});
            if (script.hasValue())
                script.value().agent->moveToThread(qApp->thread());
            return script;
        },
        [this, folder = m_places.bench.workspace()->folder](const Result<ContinuedScript> &script) {
            m_isReading = false;
            const std::optional<Workspace> &now = m_places.bench.workspace();
            if (!now || now->folder != folder)
                return; // another one was opened meanwhile
            if (!script.hasValue()) {
                m_places.bench.lend(false);
                emit noticed(tr("Cannot continue the run"), script.message(), true);
                return;
            }
            goOnWith(script.value());
        });
}

void AgentDesk::goOnWith(const ContinuedScript &script) {
    AgentRun::Setup setup{*m_places.bench.workspace(), m_places.bench.request(), script.so.mode,
                          script.so.budgets,           script.so.source,         script};
    if (!script.so.device.isEmpty())
        setup.request.settings.device = script.so.device;
    begin(script.agent, std::move(setup));
    if (!script.notice.isEmpty())
        emit noticed(tr("The record of the run was cut off"), script.notice, false);
    say(tr("run"), continuedText(script.so));
}

void AgentDesk::begin(std::shared_ptr<Agent> agent, AgentRun::Setup setup) {
    if (m_run || !m_places.bench.workspace() || m_places.bench.isRunning())
        return;
    m_places.bench.lend(true);
    Result<std::unique_ptr<AgentRun>> made = AgentRun::make(std::move(setup), std::move(agent));
    if (!made.hasValue()) {
        m_places.bench.lend(false);
        emit noticed(tr("Cannot begin the run"), made.message(), true);
        return;
    }
    m_run = std::move(made).value();
    m_evidences.clear();
    m_asked.clear();
    m_plan.clear();
    m_events.clear();
    m_places.panel.events().clear();
    m_review->setSession(&m_run->session());
    m_places.topBar.setSession(true);
    listen();
    emit runChanged();
    show();
    m_run->session().start();
}

void AgentDesk::listen() {
    Session *session = &m_run->session();
    connect(session, &Session::stateChanged, this, &AgentDesk::showReview);
    connect(session, &Session::modeChanged, this, [this] { show(); });
    connect(session, &Session::pausedChanged, this, [this] { show(); });
    connect(session, &Session::meterChanged, this, [this] { show(); });
    connect(session, &Session::reviewChanged, this, &AgentDesk::showReview);
    connect(session, &Session::evidenceChanged, this, [this] {
        m_places.bench.followRun(0); // the text before may have been measured for it
        show();
    });
    connect(session, &Session::hunkMeasured, this,
            [this](int hunk, bool isWithout, const Evidence &evidence) {
                (isWithout ? m_evidences[hunk].allBut : m_evidences[hunk].alone) = evidence;
                showReview();
            });
    connect(session, &Session::iterationMade, this, [this](const Iteration &iteration) {
        m_places.candidate.expectReload();
        m_places.bench.followRun(iteration.number);
    });
    connect(session, &Session::scored, this, [this](const ScoredProposal &scored) {
        m_places.bench.followRun(0);
        say(tr("run"), tr("Proposal %1, «%2»: %3. %4")
                           .arg(numberOf(scored.proposal))
                           .arg(scored.title, scored.outcome, scored.why));
    });
    connect(session, &Session::trouble, this,
            [this](const QString &message) { emit noticed(tr("The run"), message, true); });
    connect(session, &Session::ended, this, &AgentDesk::end, Qt::QueuedConnection);
    connect(
        m_run.get(), &AgentRun::ledgerChanged, this, [this] { show(); }, Qt::QueuedConnection);
    Agent *agent = &m_run->agent();
    const QString name = agent->identity().name;
    connect(agent, &Agent::message, this,
            [this, name](const AgentMessage &message) { say(name, message.text); });
    connect(agent, &Agent::planChanged, this, [this](const std::vector<PlanItem> &items) {
        m_plan = planSteps(items);
        show();
    });
    connect(agent, &Agent::toolBegan, this, [this](const ToolCall &call) {
        AgentEvent event;
        event.kind = AgentEvent::Tool;
        event.name = call.name;
        event.icon = QStringLiteral("terminal");
        event.outcome = AgentEvent::Running;
        append(event);
        m_events[call.id] = m_lastEvent;
    });
    connect(agent, &Agent::toolEnded, this, [this](const ToolCall &call) {
        AgentEvent event;
        event.id = m_events.value(call.id);
        event.kind = AgentEvent::Tool;
        event.name = call.name;
        event.icon = QStringLiteral("terminal");
        event.text = call.result;
        event.result = durationText(call.seconds);
        event.outcome = call.outcome == QLatin1String("ok")       ? AgentEvent::Succeeded
                        : call.outcome == QLatin1String("denied") ? AgentEvent::Denied
                                                                  : AgentEvent::Failed;
        if (event.id > 0)
            m_places.panel.events().update(event);
        else
            append(event);
    });
}

void AgentDesk::append(const AgentEvent &event) {
    AgentEvent numbered = event;
    numbered.id = ++m_lastEvent;
    numbered.time = QTime::currentTime().toString(QStringLiteral("HH:mm"));
    m_places.panel.events().append({numbered});
}

void AgentDesk::say(const QString &author, const QString &text) {
    AgentEvent event;
    event.author = author;
    event.text = text;
    append(event);
}

// What Run means now: go on from a pause, keep the step, or write what was answered.
void AgentDesk::goOn() {
    if (!m_run)
        return;
    Session &session = m_run->session();
    if (session.isPaused())
        return session.resume();
    m_review->takeTyped();
    const Result<void> done =
        session.state() == SessionState::Scored ? session.answerStep(StepAnswer::Keep) : session.apply();
    if (!done.hasValue())
        emit noticed(tr("The run waits"), done.message(), false);
}

void AgentDesk::measureHunks() {
    const ProposalReview *review = m_run ? m_run->session().review() : nullptr;
    if (review == nullptr)
        return;
    for (const int id : review->hunkIds()) {
        m_evidences[id].isAsked = true;
        for (const bool isWithout : {false, true})
            if (const Result<void> asked = m_run->session().measureHunk(id, isWithout); !asked.hasValue())
                return emit noticed(tr("Not measured"), asked.message(), true);
    }
    m_places.profile.showPage(QStringLiteral("hunks"));
    showReview();
}

void AgentDesk::stop() {
    if (m_run)
        m_run->session().stop();
}

void AgentDesk::showReview() {
    const ProposalReview *review = m_run ? m_run->session().review() : nullptr;
    const QString proposal = review == nullptr ? QString() : review->proposal().id;
    if (std::exchange(m_reviewed, proposal) != proposal)
        m_evidences.clear();
    m_places.profile.showHunks(review == nullptr ? HunkContributions()
                                                 : hunkContributions(m_run->session(), m_evidences));
    // Only what a person is asked about is shown in the editors.
    const bool isAsked = review != nullptr && m_run->session().state() == SessionState::AwaitingReview;
    if (isAsked || review == nullptr)
        m_review->show(m_evidences);
    if (isAsked && std::exchange(m_asked, proposal) != proposal)
        m_review->goTo(review->nextUnanswered());
    show();
}

void AgentDesk::show() {
    if (!m_run)
        return;
    const Session &session = m_run->session();
    AgentView view;
    view.plan = m_plan;
    if (session.review() != nullptr)
        view.proposal = proposalView(session, m_evidences);
    view.ledger = ledgerLines(m_run->ledger());
    view.ledgerRemark = tr("times faster, expected and measured");
    view.whyNoMessages = tr("this agent reads no messages");
    m_places.panel.setView(view);
    const SessionState state = session.state();
    const bool isWaiting = state == SessionState::AwaitingReview || state == SessionState::Scored;
    const bool isAnswered = session.review() != nullptr && session.review()->count().unanswered() == 0;
    m_places.topBar.runButtons().setState(state == SessionState::Stopping ? RunButtons::Stopping
                                          : session.isPaused()            ? RunButtons::Paused
                                          : isWaiting && isAnswered       ? RunButtons::Paused
                                          : isWaiting                     ? RunButtons::WaitingForYou
                                                                          : RunButtons::Running);
    m_places.topBar.budgets().setBudgets(budgetsOf(m_run->budgets(), session.meter()), false);
    Actions &actions = m_places.actions;
    actions.setNoSession({});
    (session.mode() == SessionMode::Review ? actions.modeReview
     : session.mode() == SessionMode::Step ? actions.modeStep
                                           : actions.modeAuto)
        ->setChecked(true);
    const QString busy = tr("the run is %1").arg(sessionStateName(state));
    Actions::setReason(actions.run, session.isPaused() || (isWaiting && isAnswered) ? QString() : busy);
    Actions::setReason(actions.pause, session.isPaused() ? tr("it is paused") : QString());
    Actions::setReason(actions.measureHunks,
                       state == SessionState::AwaitingReview ? QString() : tr("no proposal is under review"));
    Actions::setReason(actions.undoStep,
                       state == SessionState::Scored ? QString() : tr("no step waits for an answer"));
    emit runChanged();
}

void AgentDesk::end(SessionEnd how, const QString &why) {
    m_review->setSession(nullptr);
    m_places.profile.showHunks({});
    say(tr("run"), why);
    // The judge's processes take a moment to end; the window does not wait for them.
    m_run.release()->deleteLater();
    m_places.topBar.setSession(false);
    m_places.actions.setNoSession(tr("there is no agent"));
    m_places.bench.lend(false);
    m_places.bench.followRun(0);
    if (how == SessionEnd::Failed)
        emit noticed(tr("The run has ended"), why, true);
    emit runChanged();
}

} // namespace warpwright
