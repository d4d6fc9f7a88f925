// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/session.h"

#include "agent/review/text_change.h"
#include "toolchain/base/figures.h"
#include "toolchain/process/in_pool.h"

namespace warpwright {
namespace {

/// What it expects is fixed with the time that its agent knew.
Proposal withBefore(Proposal proposal, const std::optional<Evaluation> &before) {
    if (before && proposal.prediction.timeRatio && !proposal.prediction.beforeMicroseconds)
        if (const auto candidate = summaryOf(*before).candidate)
            proposal.prediction.beforeMicroseconds = candidate->medianMicroseconds;
    return proposal;
}

} // namespace

Session::Session(SessionSetup setup, Agent &agent, Measurer &measurer, Recorder &recorder, QObject *parent)
    : QObject(parent),
      m_setup(std::move(setup)),
      m_agent(agent),
      m_measurer(measurer),
      m_recorder(recorder),
      m_lock(m_setup.workspace.state),
      m_applied(m_setup.workspace) {
    qRegisterMetaType<SessionState>();
    qRegisterMetaType<SessionMode>();
    qRegisterMetaType<SessionEnd>();
    qRegisterMetaType<ScoredProposal>();
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] { endsByBudget(); });
    listen();
}

Session::~Session() = default;

void Session::listen() {
    m_agent.setMeasurer(m_measurer);
    connect(&m_agent, &Agent::proposed, this, &Session::takeProposal);
    connect(&m_agent, &Agent::done, this, [this](const QString &why) { agentEnded(SessionEnd::Done, why); });
    connect(&m_agent, &Agent::failed, this,
            [this](const QString &why) { agentEnded(SessionEnd::Failed, why); });
    connect(&m_agent, &Agent::message, this,
            [this](const AgentMessage &message) { record(QStringLiteral("message"), messageBody(message)); });
    connect(&m_agent, &Agent::remembered, this, [this](const Json &memory) {
        record(QStringLiteral("agent-memory"), Json{{"memory", memory}});
    });
    connect(&m_agent, &Agent::planChanged, this,
            [this](const std::vector<PlanItem> &items) { record(QStringLiteral("plan"), planBody(items)); });
    connect(&m_agent, &Agent::toolEnded, this,
            [this](const ToolCall &call) { record(QStringLiteral("tool-call"), toolCallBody(call)); });
    connect(&m_agent, &Agent::used, this, [this](const AgentUsage &usage) {
        m_meter.add(usage);
        record(QStringLiteral("usage"), usageBody(usage));
        emit meterChanged();
        // A limit that nobody can count towards would never be reached.
        const bool isUncounted = usage.tokens() > 0 && usage.cost <= 0 && usage.currency.isEmpty();
        if (!endsByBudget() && m_setup.budgets.cost && isUncounted)
            beginEnd(
                SessionEnd::Failed,
                QStringLiteral("The run has a budget of cost, and what %1 costs is not known: its profile "
                               "has no prices. Set them in Settings > Models > Change > More (wright models "
                               "add --price-in, --price-out), or go on with a budget of tokens.")
                    .arg(m_agent.identity().name));
    });
    connect(&m_agent, &Agent::attends, this, [this] {
        if (const QStringList messages = takeMessages(); !messages.isEmpty())
            m_agent.hear(messages);
    });
    connect(&m_agent, &Agent::prompted, this, &Session::takePrompt);
    connect(this, &Session::promptsChanged, this, &Session::countTime);
    connect(&m_measurer, &Measurer::progress, this, &Session::followStage);
    auto *tick = new QTimer(this); // whoever looks sees the minutes pass, however long one step takes
    connect(tick, &QTimer::timeout, this, [this] {
        if (m_clock.isValid()) {
            countTime();
            emit meterChanged();
        }
    });
    tick->start(10'000);
    connect(&m_measurer, &Measurer::measured, this, &Session::takeMeasured);
}

// What cannot be recorded must not go on: the run waits, and says why.
bool Session::record(const QString &kind, const Json &body) {
    Json whole = body;
    // For a run that goes on after its program died: what it had used.
    if (kind == QLatin1String("proposal") || kind == QLatin1String("evaluation"))
        whole["minutes"] =
            m_meter.minutes + (m_clock.isValid() ? static_cast<double>(m_clock.elapsed()) / 60'000 : 0.0);
    const Result<void> done = m_recorder.append(kind, whole);
    if (done.hasValue())
        return true;
    emit trouble(done.message());
    if (!m_isPaused && !m_ending) {
        m_isPaused = true;
        countTime();
        emit pausedChanged(true, done.message());
    }
    return false;
}

void Session::setState(SessionState state) {
    if (m_state == state)
        return;
    m_state = state;
    countTime();
    emit stateChanged(state);
}

// The next act, from the event loop: a stop in between finds nothing half done.
void Session::goOn(const std::function<void()> &act) {
    QTimer::singleShot(0, this, [this, act, epoch = m_epoch] {
        if (epoch != m_epoch || m_ending)
            return;
        if (m_isPaused)
            m_held.push_back(act);
        else
            act();
    });
}

void Session::start() {
    Q_ASSERT(m_state == SessionState::Idle);
    goOn([this] { begin(); });
}

void Session::begin() {
    const auto refuse = [this](const QString &why) {
        beginEnd(SessionEnd::Failed, why, false);
    };
    m_lock.take();
    if (!m_lock.mayWrite())
        return refuse(m_lock.message());
    if (m_lock.state() == WorkspaceLock::State::Failed)
        emit trouble(m_lock.message());
    if (const Result<int> finished = m_applied.finish(); !finished.hasValue())
        return refuse(finished.message());
    const Result<CandidateTexts> texts = m_applied.read();
    if (!texts.hasValue())
        return refuse(texts.message());
    const auto kept = m_applied.store().commit(texts.value(), m_applied.store().current(), Author{});
    if (!kept.hasValue())
        return refuse(kept.message());
    if (!kept.value().notice.isEmpty())
        emit trouble(kept.value().notice);
    m_texts = texts.value();
    m_iteration = kept.value().iteration.number;
    const AgentIdentity agent = m_agent.identity();
    Json body{{"program", toJson(m_setup.program)},
              {"iteration", m_iteration},
              {"baseHash", toJson(textHashOf(m_texts))},
              {"mode", toJson(sessionModeName(m_setup.mode))}};
    const Json agentBody{{"kind", toJson(authorKindName(agent.kind))},
                         {"name", toJson(agent.name)},
                         {"version", toJson(agent.version)},
                         {"source", toJson(m_setup.source)}};
    const bool isContinued = m_setup.continued.has_value();
    if (isContinued) {
        const ContinuedRun &before = *m_setup.continued;
        m_proposals = before.proposals;
        m_meter = before.meter;
        m_messages = before.messages + m_messages;
        if (before.texts != m_texts)
            body["hunks"] = changeToJson(textChange(before.texts, m_texts))["hunks"];
        if (!before.answered.isEmpty())
            body["answered"] = toJson(before.answered);
        if (before.isByAnother)
            body["agent"] = agentBody;
    } else {
        body["hunks"] = changeToJson(textChange({}, m_texts))["hunks"];
        body["schema"] = "warpwright.trajectory/1";
        body["run"] = toJson(m_setup.run);
        body["workspace"] = toJson(m_setup.workspace.folder);
        body["agent"] = agentBody;
        body["policy"] = Json{{"keepsVerifiedAsBranch", m_setup.policy.keepsVerifiedAsBranch}};
        body["budgets"] = budgetsToJson(m_setup.budgets);
        body["device"] = toJson(m_setup.device);
    }
    if (!record(isContinued ? QStringLiteral("run-continued") : QStringLiteral("run-began"), body))
        return refuse(QStringLiteral("The run cannot be recorded, so it was not begun."));
    if (isContinued)
        recordBudgets(m_setup.continued->budgets); // they may have been changed before it went on
    if (!m_messages.isEmpty())
        recordWaitingMessages();
    if (isContinued)
        tellUntold(kept.value());
    else if (kept.value().isNew) {
        record(QStringLiteral("iteration"), iterationBody(kept.value().iteration));
        emit iterationMade(kept.value().iteration);
    }
    m_evaluation = storedEvaluation();
    const std::map<int, QString> told = isContinued ? m_setup.continued->evaluated : std::map<int, QString>();
    const auto last = told.find(m_iteration);
    const bool isTold = m_evaluation && last != told.end() && last->second == m_evaluation->id;
    if (m_evaluation && !isTold)
        record(QStringLiteral("evaluation"),
               evaluationBody({EvaluationSubject::Of::Iteration, m_iteration, {}, 0}, *m_evaluation,
                              textHashOf(m_texts)));
    propose();
}

// The history knows more than the record where the program died between the two; and a person may have gone
// on since.
void Session::tellUntold(const IterationStore::Committed &kept) {
    const ContinuedRun &before = *m_setup.continued;
    std::set<int> numbers(before.untold.begin(), before.untold.end());
    if (before.told.count(m_iteration) == 0)
        numbers.insert(m_iteration);
    if (const auto history = m_applied.store().list(); history.hasValue())
        for (const IterationRecord &one : history.value())
            if (numbers.count(one.iteration.number) > 0) {
                record(QStringLiteral("iteration"), iterationBody(one.iteration));
                emit iterationMade(one.iteration);
            }
    if (kept.isNew)
        emit trouble(QStringLiteral("The text was changed by hand since the run was left: that is iteration "
                                    "%1 of yours, and the run goes on from it.")
                         .arg(m_iteration));
}

bool Session::endsByBudget() {
    countTime();
    if (m_ending || m_state == SessionState::Idle)
        return false;
    const std::optional<ReachedBudget> reached = reachedBudget(m_setup.budgets, m_meter);
    if (!reached)
        return false;
    record(QStringLiteral("budget-reached"),
           Json{{"budget", toJson(reached->budget)}, {"limit", reached->limit}, {"used", reached->used}});
    // Tokens are millions, money and minutes a few with their fractions.
    const auto shown = [](double value) {
        return value >= 1000 ? numberText(value) : QString::number(value, 'g', 4);
    };
    beginEnd(SessionEnd::Budget, QStringLiteral("The budget of %1 is used up: %2 of %3.")
                                     .arg(reached->budget, shown(reached->used), shown(reached->limit)));
    return true;
}

// What the agent reads has to be measured, and has to be what is on the disk.
void Session::propose() {
    if (endsByBudget() || !noticeHandEdits())
        return;
    if (m_evaluation)
        return ask();
    setState(SessionState::Compiling);
    AgentRequest soon;
    soon.workspace = m_setup.workspace.folder;
    soon.device = m_setup.device;
    soon.texts = m_texts;
    m_agent.prepare(soon);
    measureBase();
}

// The history of a long run is read in the pool; a stop meanwhile finds nothing begun.
void Session::ask() {
    using History = Result<std::vector<IterationRecord>>;
    const auto propose = [this](const History &history) {
        AgentRequest request;
        request.workspace = m_setup.workspace.folder;
        request.device = m_setup.device;
        request.proposal = QStringLiteral("p%1").arg(++m_proposals);
        request.iteration = m_iteration;
        request.texts = m_texts;
        if (history.hasValue())
            request.history = history.value();
        request.lastEvaluation = m_evaluation;
        request.feedback = std::exchange(m_feedback, {});
        request.messages = takeMessages();
        setState(SessionState::Proposing);
        m_isAgentBusy = true;
        m_agent.propose(request);
    };
    inPool(
        this, [store = m_applied.store()] { return store.list(); },
        [this, propose, epoch = m_epoch](const History &history) {
            if (epoch == m_epoch)
                goOn([propose, history] { propose(history); });
        });
}

// What the person wrote, as it goes to the agent.
QStringList Session::takeMessages() {
    const QStringList messages = std::exchange(m_messages, {});
    for (const QString &text : messages)
        record(QStringLiteral("message"),
               messageBody(
                   {AgentMessage::Role::Person, QStringLiteral("p%1").arg(m_proposals), text, false, {}}));
    if (!messages.isEmpty())
        emit messagesRead(messages);
    return messages;
}

void Session::takeProposal(const Proposal &proposal) {
    if (!m_isAgentBusy)
        return;
    m_isAgentBusy = false;
    removePrompts(QStringLiteral("the proposal is made"));
    if (m_ending)
        return settle();
    goOn([this, proposal] {
        // What the person saved while it was being made counts as typed under it.
        if (!noticeHandEdits() || endsByRepetition(proposal))
            return;
        m_review = ProposalReview(withBefore(proposal, m_evaluation), m_texts);
        m_shadow.reset();
        m_evidence.reset();
        m_shadowHash.clear();
        m_hasBet = false;
        record(QStringLiteral("proposal"), proposalBody(*m_review));
        noticeConflicts({});
        if (m_setup.betsFirst && m_setup.mode == SessionMode::Review) {
            const Result<void> hidden = hideResult();
            Q_UNUSED(hidden); // just made: nobody was told of it yet
        }
        answerAsBefore();
        emit reviewChanged();
        if (m_review->count().total() == 0)
            return finishProposal(Feedback::Outcome::Rejected,
                                  m_review->proposal().series && m_review->proposal().series->needs > 0
                                      ? whyConflict()
                                      : QStringLiteral("It changes nothing."));
        if (!m_evaluation)
            measureBase();
        if (m_review->count().conflict == 0)
            measureProposal();
        dealWith();
    });
}

// What the mode says of the proposal at hand.
void Session::dealWith() {
    if (m_setup.mode != SessionMode::Review)
        showResult(QStringLiteral("the run goes by itself"));
    const bool hasConflict = m_review->count().conflict > 0;
    m_waitsForPolicy = m_setup.mode == SessionMode::Auto;
    switch (m_setup.mode) {
    case SessionMode::Auto:
        if (m_evidence || hasConflict)
            return decideByPolicy();
        return setState(SessionState::Compiling);
    case SessionMode::Step:
        if (!hasConflict) {
            const Result<void> rest = answerRest({}, true, QStringLiteral("step"), "policy");
            if (rest.hasValue() && m_review->count().unanswered() == 0) {
                setState(SessionState::Applying);
                return goOn([this] { applyNow(); });
            }
        }
        break;
    case SessionMode::Review:
        break;
    }
    setState(SessionState::AwaitingReview);
}

void Session::agentEnded(SessionEnd end, const QString &why) {
    if (!m_isAgentBusy)
        return;
    m_isAgentBusy = false;
    if (m_ending)
        return settle();
    beginEnd(end, why);
}

void Session::setMode(SessionMode mode) {
    if (mode == m_setup.mode)
        return;
    if (m_state != SessionState::Idle)
        record(QStringLiteral("mode-changed"),
               Json{{"from", toJson(sessionModeName(m_setup.mode))}, {"to", toJson(sessionModeName(mode))}});
    const bool waitedForStep = stepBase() > 0;
    m_setup.mode = mode;
    emit modeChanged(mode);
    if (m_ending)
        return;
    if (waitedForStep && mode == SessionMode::Auto)
        return settleStepByPolicy();
    if (waitedForStep) {
        const Result<void> kept = answerStep(StepAnswer::Keep);
        Q_UNUSED(kept);
        return;
    }
    if (m_before && m_before->isPending && mode == SessionMode::Review)
        return keepStepByHand();
    const bool isUntouched = m_review && m_review->count().unanswered() == m_review->count().total();
    const bool waits = m_state == SessionState::AwaitingReview || m_waitsForPolicy;
    if (waits && isUntouched)
        goOn([this] {
            if (m_review && (m_state == SessionState::AwaitingReview || m_waitsForPolicy))
                dealWith();
        });
}

void Session::stop(const QString &why) {
    if (m_ending || m_state == SessionState::Ended)
        return;
    beginEnd(SessionEnd::Stopped, why);
}

void Session::beginEnd(SessionEnd end, const QString &why, bool hasBegun) {
    if (m_ending)
        return;
    ++m_epoch;
    m_ending = {end, why};
    m_held.clear();
    m_waitsForPolicy = false;
    m_waitsForScore = false;
    removePrompts(why);
    leaveKeptText();
    // Whatever failed may be right again when the run goes on: no more than a stop.
    const bool isOver = end == SessionEnd::Done || end == SessionEnd::Budget;
    if (hasBegun)
        record(isOver ? QStringLiteral("run-ended") : QStringLiteral("run-stopped"),
               Json{{"why", toJson(why)}});
    setState(SessionState::Stopping);
    if (m_review) {
        m_review.reset(); // the agent's: what was accepted is in the history, and so is what was not
        m_isResultHidden = false;
        m_evidence.reset();
        emit reviewChanged();
    }
    cancelMeasurements();
    if (m_isAgentBusy)
        m_agent.cancel();
    QTimer::singleShot(0, this, &Session::settle);
}

// The end is told once nothing of ours runs any more.
void Session::settle() {
    if (!m_ending || m_state == SessionState::Ended || m_isAgentBusy || !m_measurements.empty())
        return;
    m_lock.release();
    setState(SessionState::Ended);
    emit ended(m_ending->first, m_ending->second);
}

void Session::takePrompt(AgentPrompt prompt) {
    if (m_ending)
        return m_agent.answerPrompt(prompt.id, {});
    prompt.epoch = m_epoch;
    m_prompts.push_back(prompt);
    record(QStringLiteral("prompt"), Json{{"id", toJson(prompt.id)},
                                          {"epoch", prompt.epoch},
                                          {"question", toJson(prompt.question)},
                                          {"options", stringsToJson<Json>(prompt.options)}});
    const std::optional<QString> option = m_setup.leave.answerTo(prompt);
    if (!option) {
        emit promptsChanged();
        return;
    }
    if (prompt.allowing.isEmpty())
        emit trouble(notAllowedWords(prompt, *option));
    answerPrompt(prompt.id, prompt.epoch, *option, "policy");
}

void Session::removePrompts(const QString &why) {
    for (const AgentPrompt &prompt : std::exchange(m_prompts, {})) {
        record(QStringLiteral("prompt-removed"),
               Json{{"id", toJson(prompt.id)}, {"epoch", prompt.epoch}, {"why", toJson(why)}});
        m_agent.answerPrompt(prompt.id, {});
        emit promptsChanged();
    }
}

bool Session::answerPrompt(const QString &id, int epoch, const QString &answer, const char *by) {
    const auto found = std::find_if(m_prompts.begin(), m_prompts.end(), [&](const AgentPrompt &prompt) {
        return prompt.id == id && prompt.epoch == epoch;
    });
    if (found == m_prompts.end() || epoch != m_epoch)
        return false;
    m_prompts.erase(found);
    record(QStringLiteral("prompt-answered"),
           Json{{"id", toJson(id)}, {"epoch", epoch}, {"answer", toJson(answer)}, {"by", by}});
    emit promptsChanged();
    m_agent.answerPrompt(id, answer);
    return true;
}

} // namespace warpwright
