// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/agent_talk.h"

#include "agent/review/bet_first.h"
#include "agent/session/session.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/run_words.h"
#include "app/ide/agent/tool_words.h"
#include "app/ide/review/proposal_views.h"
#include "toolchain/base/figures.h"

#include <QRegularExpression>
#include <QTime>

namespace warpwright {
namespace {

constexpr int showAfterMs = 50; // a model writes hundreds of words a second

QString now() {
    return QTime::currentTime().toString(QStringLiteral("HH:mm"));
}

/// What it means to say no.
QString refusalWords(AgentPrompt::About about) {
    switch (about) {
    case AgentPrompt::About::Permission:
        return AgentTalk::tr("Saying no refuses this one call. The run goes on.");
    case AgentPrompt::About::NoSandbox:
        return AgentTalk::tr("Saying no ends the run: the agent is not started.");
    case AgentPrompt::About::SignIn:
        return AgentTalk::tr("Saying no ends the run: without it the agent does nothing.");
    case AgentPrompt::About::Course:
        return AgentTalk::tr("Saying no ends the run. Nothing was changed.");
    }
    return {};
}

/// In Markdown; what the agent has written is shown as it is.
QString askedWords(const ShownPrompt &prompt, const QString &end) {
    static const QRegularExpression marks(QStringLiteral(R"(([\\`*_\[\]<>#]))"));
    const auto plain = [](QString text) {
        return text.replace(marks, QStringLiteral(R"(\\1)")).replace(u'\n', QStringLiteral("  \n"));
    };
    return QStringLiteral("%1\n\n**%2**").arg(plain(prompt.question), plain(end));
}

} // namespace

AgentTalk::AgentTalk(AgentPanel &panel, QObject *parent) : QObject(parent), m_panel(panel) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(showAfterMs);
    connect(&m_soon, &QTimer::timeout, this, &AgentTalk::showGrown);
    connect(&panel, &AgentPanel::queueAsked, this, [this](const QString &text) { wait(text, false); });
    connect(&panel, &AgentPanel::sendAsked, this, [this](const QString &text) { wait(text, true); });
    connect(&panel, &AgentPanel::queuedEdited, this, &AgentTalk::change);
    connect(&panel, &AgentPanel::queuedRemoved, this, [this](int id) { change(id, {}); });
    connect(&panel, &AgentPanel::promptAnswered, this, &AgentTalk::answer);
}

void AgentTalk::begin(Agent &agent, Session &session, const QStringList &before, bool goesOn) {
    m_session = &session;
    // In the window that left the run they may still wait.
    std::vector<QueuedMessage> again;
    for (const QString &text : before)
        if (std::none_of(m_queue.begin(), m_queue.end(),
                         [&text](const QueuedMessage &message) { return message.text == text; }))
            again.push_back({++m_lastQueued, text});
    m_queue.insert(m_queue.begin(), again.begin(), again.end());
    m_plan.clear();
    m_writings.clear();
    m_calls.clear();
    m_note.clear();
    m_nextNote.clear();
    m_hasNotes = false;
    m_told.clear();
    m_expected.clear();
    m_lastSaid.clear();
    m_saidSentences.clear();
    m_prompts.clear();
    m_prompt.reset();
    if (!goesOn)
        m_panel.events().clear();
    listenTo(agent);
    connect(&session, &Session::reviewChanged, this, &AgentTalk::sayProposal);
    connect(&session, &Session::evidenceChanged, this, &AgentTalk::sayExpected);
    connect(&session, &Session::promptsChanged, this, &AgentTalk::takePrompts);
    connect(&session, &Session::messagesRead, this, [this](const QStringList &messages) {
        m_queue.clear();
        for (const QString &text : messages)
            say(tr("you"), text);
        emit changed();
    });
    tellSession();
}

void AgentTalk::end() {
    m_session = nullptr;
    m_nextNote.clear();
    m_hasNotes = false;
    for (Writing &writing : m_writings)
        endThought(writing);
    showGrown();
    for (AgentEvent &call : m_calls) { // that nobody has ended
        call.outcome = AgentEvent::Cancelled;
        m_panel.events().update(call);
    }
    m_writings.clear();
    m_calls.clear();
    m_prompts.clear();
    m_prompt.reset();
    // Nobody works at it any more.
    for (PlanStep &step : m_plan)
        if (step.state == PlanStep::Now)
            step.state = PlanStep::Ahead;
    if (!m_queue.empty())
        say(tr("run"), tr("%1 not read by the agent. What you wrote waits for the next run; until then it "
                          "can be changed or taken back.")
                           .arg(countText(static_cast<qsizetype>(m_queue.size()), tr("message"))));
    emit changed();
}

void AgentTalk::listenTo(Agent &agent) {
    m_author = agent.identity().name;
    connect(&agent, &Agent::messageDelta, this,
            [this](const QString &id, const QString &text) { grow(id, text, {}); });
    connect(&agent, &Agent::thoughtDelta, this,
            [this](const QString &id, const QString &text) { grow(id, {}, text); });
    connect(&agent, &Agent::message, this, &AgentTalk::finish);
    connect(&agent, &Agent::messageGivenUp, this, &AgentTalk::giveUp);
    connect(&agent, &Agent::noted, this, [this](const QString &text) {
        m_nextNote = text;
        if (!m_soon.isActive())
            m_soon.start();
    });
    connect(&agent, &Agent::planChanged, this, [this](const std::vector<PlanItem> &items) {
        m_plan = planSteps(items);
        emit changed();
    });
    connect(&agent, &Agent::toolBegan, this, [this](const ToolCall &call) { showTool(call, false); });
    connect(&agent, &Agent::toolEnded, this, [this](const ToolCall &call) { showTool(call, true); });
    connect(&agent, &Agent::toolProgressed, this,
            [this](const QString &id, const QString &text, int index, int count) {
                showProgress(id, toolProgressWords(text, index, count));
            });
}

void AgentTalk::grow(const QString &id, const QString &text, const QString &thinking) {
    Writing &writing = m_writings[id];
    AgentEvent &event = writing.event;
    const bool isNew = event.id == 0;
    if (std::exchange(writing.isVoid, false))
        event.text.clear();
    if (!thinking.isEmpty() && !writing.thinks.isValid()) {
        writing.thinks.start();
        event.thought = tr("thinks…");
    }
    if (!text.isEmpty() && event.text.isEmpty())
        endThought(writing);
    event.text += text;
    event.thinking += thinking;
    if (isNew) {
        event.author = m_author;
        event.time = now();
        event.id = append(event);
        return;
    }
    writing.isShown = false;
    if (!m_soon.isActive())
        m_soon.start();
}

// What comes in its place grows where it stood.
void AgentTalk::giveUp(const QString &id) {
    const auto writing = m_writings.find(id);
    if (writing == m_writings.end())
        return;
    writing->event.text = tr("Cut off, and asked again.");
    writing->isVoid = true;
    writing->event.thinking.clear();
    writing->event.thought.clear();
    writing->thinks.invalidate();
    writing->isShown = false;
    if (!m_soon.isActive())
        m_soon.start();
}

void AgentTalk::endThought(Writing &writing) {
    if (!writing.thinks.isValid())
        return;
    const qint64 seconds = (writing.thinks.elapsed() + 500) / 1000; // finer is of no use to anybody
    writing.event.thought = seconds == 0 ? tr("thought for a moment")
                            : seconds < 100
                                ? tr("thought for %1 s").arg(seconds)
                                : tr("thought for %1").arg(durationText(static_cast<double>(seconds)));
    writing.thinks.invalidate();
    writing.isShown = false;
}

void AgentTalk::showGrown() {
    m_soon.stop();
    for (Writing &writing : m_writings)
        if (!std::exchange(writing.isShown, true))
            m_panel.events().update(writing.event);
    if (m_note == m_nextNote)
        return;
    m_note = m_nextNote;
    m_hasNotes = m_hasNotes || (!m_note.isEmpty() && m_session != nullptr);
    emit changed();
}

void AgentTalk::finish(const AgentMessage &message) {
    Writing writing = m_writings.take(message.id);
    endThought(writing);
    AgentEvent event = writing.event;
    // The run's own words, which the agent only passes on.
    event.author = message.role == AgentMessage::Role::System   ? tr("run")
                   : message.role == AgentMessage::Role::Person ? tr("you")
                   : message.author.isEmpty()                   ? m_author
                                                                : message.author;
    event.text = message.text;
    if (message.role == AgentMessage::Role::Agent) {
        m_lastSaid = message.text.trimmed();
        const QString kept = withoutSaid(message.text, m_saidSentences);
        Q_UNUSED(kept); // what it says stands as it said it; only reasons are shortened
    }
    if (!message.thinking.isEmpty())
        event.thinking = message.thinking;
    if (!event.thinking.isEmpty() && event.thought.isEmpty())
        event.thought = tr("thought");
    event.time = message.isPartial ? tr("%1, cut off").arg(now()) : now();
    if (event.id > 0)
        m_panel.events().update(event);
    else
        append(event);
}

void AgentTalk::showTool(const ToolCall &call, bool hasEnded) {
    // What it thought of before it called is whole, also where no message says so.
    for (Writing &writing : m_writings)
        endThought(writing);
    showGrown();
    AgentEvent event = toolEvent(call, hasEnded);
    event.id = m_calls.value(call.id).id;
    if (event.id > 0)
        m_panel.events().update(event);
    else
        event.id = append(event);
    if (hasEnded)
        m_calls.remove(call.id);
    else
        m_calls[call.id] = event;
}

void AgentTalk::showProgress(const QString &id, const QString &words) {
    const auto call = m_calls.find(id);
    if (call == m_calls.end() || call->result == words)
        return;
    call->result = words;
    m_panel.events().update(*call);
}

// Why it wants this change stands in the conversation, once.
void AgentTalk::sayProposal() {
    const ProposalReview *review = m_session == nullptr ? nullptr : m_session->review();
    if (review == nullptr || std::exchange(m_told, review->proposal().id) == review->proposal().id)
        return;
    const Proposal &proposal = review->proposal();
    QString text = tr("**Proposal %1, %2.**").arg(numberOf(proposal.id)).arg(proposal.title);
    // Some give what they said last as the reason: it stands above.
    // The playbook says the same of one text each time that it is measured.
    const bool isRepeated = proposal.author.kind == AuthorKind::Playbook;
    const QString reason = isRepeated ? withoutSaid(proposal.reason, m_saidSentences) : proposal.reason;
    if (!reason.isEmpty() && reason.trimmed() != m_lastSaid)
        text += QLatin1Char(' ') + reason;
    else if (isRepeated && !proposal.reason.isEmpty())
        text += tr(" For the reason above.");
    m_expected.clear();
    if (!mayShowNumbers(*m_session)) // they may tell how much
        m_expected = proposal.prediction.words;
    else if (!proposal.prediction.words.isEmpty())
        text += tr(" Expected: %1").arg(proposal.prediction.words);
    say(proposal.author.name.isEmpty() ? authorKindName(proposal.author.kind) : proposal.author.name, text);
}

// What was held back while the person bet.
void AgentTalk::sayExpected() {
    const ProposalReview *review = m_session == nullptr ? nullptr : m_session->review();
    if (m_expected.isEmpty() || review == nullptr || review->proposal().id != m_told ||
        !mayShowNumbers(*m_session))
        return;
    const Proposal &proposal = review->proposal();
    say(proposal.author.name.isEmpty() ? authorKindName(proposal.author.kind) : proposal.author.name,
        tr("Expected of proposal %1: %2").arg(QString::number(numberOf(proposal.id)), m_expected));
    m_expected.clear();
}

// Those that wait are asked one by one; what became of one stands in the conversation then.
void AgentTalk::takePrompts() {
    if (m_session == nullptr)
        return;
    const auto known = [this](const AgentPrompt &prompt) {
        return std::any_of(m_prompts.begin(), m_prompts.end(), [&prompt](const ShownPrompt &one) {
            return one.id == prompt.id && one.epoch == prompt.epoch;
        });
    };
    const std::vector<AgentPrompt> &now = m_session->prompts();
    for (const AgentPrompt &prompt : now)
        if (!known(prompt))
            m_prompts.push_back({prompt.id, prompt.epoch, m_author, prompt.question, prompt.options,
                                 refusalWords(prompt.about)});
    // What is gone and was not answered here was taken away.
    const auto isGone = [&now](const ShownPrompt &one) {
        return std::none_of(now.begin(), now.end(), [&one](const AgentPrompt &prompt) {
            return one.id == prompt.id && one.epoch == prompt.epoch;
        });
    };
    for (const ShownPrompt &one : m_prompts)
        if (isGone(one))
            say(m_author, askedWords(one, tr("Not answered: the question was taken back.")));
    m_prompts.erase(std::remove_if(m_prompts.begin(), m_prompts.end(), isGone), m_prompts.end());
    std::optional<ShownPrompt> next;
    if (!m_prompts.empty()) {
        next = m_prompts.front();
        next->more = static_cast<int>(m_prompts.size()) - 1;
    }
    if (std::exchange(m_prompt, next) != next)
        emit asked();
}

void AgentTalk::answer(const QString &id, int epoch, const QString &option) {
    const auto found = std::find_if(m_prompts.begin(), m_prompts.end(), [&](const ShownPrompt &one) {
        return one.id == id && one.epoch == epoch;
    });
    if (found == m_prompts.end() || m_session == nullptr)
        return;
    const ShownPrompt answered = *found;
    m_prompts.erase(found);
    say(m_author, askedWords(answered, tr("You answered: %1").arg(option)));
    m_session->answerPrompt(answered.id, answered.epoch, option);
}

// No agent can be interrupted while it thinks; so what is sent comes before what waits.
void AgentTalk::wait(const QString &text, bool isFirst) {
    m_queue.insert(isFirst ? m_queue.begin() : m_queue.end(), {++m_lastQueued, text});
    tellSession();
    emit changed();
    if (m_session == nullptr)
        emit spokenToNobody();
}

void AgentTalk::change(int id, const QString &text) {
    const auto found = std::find_if(m_queue.begin(), m_queue.end(),
                                    [id](const QueuedMessage &message) { return message.id == id; });
    if (found == m_queue.end())
        return;
    if (text.isEmpty())
        m_queue.erase(found);
    else
        found->text = text;
    tellSession();
    emit changed();
}

void AgentTalk::tellSession() {
    if (m_session == nullptr)
        return;
    QStringList texts;
    for (const QueuedMessage &message : m_queue)
        texts << message.text;
    m_session->setMessages(texts);
}

QString AgentTalk::unread() const {
    QStringList texts;
    for (const QueuedMessage &message : m_queue)
        texts << message.text;
    if (const QString typed = m_panel.unsent(); !typed.isEmpty())
        texts << typed;
    return texts.join(QLatin1Char('\n'));
}

int AgentTalk::append(const AgentEvent &event) {
    AgentEvent numbered = event;
    numbered.id = ++m_lastEvent;
    if (numbered.time.isEmpty())
        numbered.time = now();
    m_panel.events().append({numbered});
    return numbered.id;
}

void AgentTalk::say(const QString &author, const QString &text) {
    AgentEvent event;
    event.author = author;
    event.text = text;
    append(event);
}

} // namespace warpwright
