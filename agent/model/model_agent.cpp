// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/model_agent.h"

#include "agent/endpoints/key_store.h"
#include "agent/model/model_task.h"
#include "agent/model/model_words.h"
#include "agent/record/unfinished_work.h"
#include "agent/tools/work_folder.h"

#include <QTimer>
#include <QUrl>

namespace warpwright {

ModelAgent::ModelAgent(ModelSetup setup, QObject *parent) : Agent(parent), m_setup(std::move(setup)) {}

ModelAgent::~ModelAgent() = default;

AgentIdentity ModelAgent::identity() const {
    return {AuthorKind::Model, m_setup.profile.name, m_setup.profile.model};
}

// OpenRouter says with each answer what it took.
QString ModelAgent::whyCostUnknown() const {
    const ModelProfile &profile = m_setup.profile;
    const bool saysItself = QUrl(profile.baseUrl).host().endsWith(QLatin1String("openrouter.ai"));
    if (saysItself || (profile.prices.in && profile.prices.out))
        return {};
    return QStringLiteral("No prices are set for the model \"%1\". Set them in Settings > Models > Change > "
                          "More, or limit its tokens.")
        .arg(profile.name);
}

void ModelAgent::setMeasurer(Measurer &measurer) {
    m_measurer = &measurer;
}

Result<void> ModelAgent::wasAnswered(const AnsweredProposal &answered) {
    m_memory.recallFeedback(answered.feedback);
    return Result<void>::ok();
}

Result<void> ModelAgent::recall(const Json &memory) {
    m_isUnfinished = unfinishedIn(memory).value_or(m_isUnfinished);
    if (const auto said = memory.find("said"); said != memory.end())
        if (const Result<void> done = m_conversation.recall(*said); !done.hasValue())
            return done;
    const auto hand = memory.find("hand");
    return hand == memory.end() ? Result<void>::ok() : m_memory.recall(*hand);
}

void ModelAgent::propose(const AgentRequest &request) {
    Q_ASSERT(!m_isProposing && m_measurer != nullptr);
    m_isProposing = true;
    m_request = request;
    QTimer::singleShot(0, this, [this, proposal = request.proposal] {
        if (m_isProposing && m_request.proposal == proposal)
            begin();
    });
}

void ModelAgent::begin() {
    if (m_endpoint)
        return goOn();
    m_keys = std::make_unique<KeyStore>(m_setup.request.environment);
    connect(m_keys.get(), &KeyStore::found, this, &ModelAgent::takeKey);
    connect(m_keys.get(), &KeyStore::failed, this, [this](const QString &why) {
        m_failsForAll = true;
        fail(why);
    });
    m_keys->read(m_setup.profile.key);
}

void ModelAgent::takeKey(const QString &key) {
    if (m_endpoint || !m_isProposing)
        return;
    m_endpoint = std::make_unique<Endpoint>(m_setup.profile, key, m_setup.patience);
    listenToEndpoint();
    goOn();
}

void ModelAgent::cancel() {
    if (!m_isProposing)
        return;
    if (!m_partial.isEmpty())
        emit message({AgentMessage::Role::Agent, m_messageId, std::exchange(m_partial, {}), true, {}});
    if (m_call.outcome.isEmpty() && !m_call.id.isEmpty()) {
        m_call.outcome = toolOutcomeName(ToolAnswer::Outcome::Cancelled);
        m_call.seconds = static_cast<double>(m_callClock.elapsed()) / 1000;
        emit toolEnded(std::exchange(m_call, {}));
    }
    m_calls.clear();
    m_results.clear();
    fail(QStringLiteral("%1 was stopped.").arg(m_setup.profile.name));
    if (m_endpoint)
        m_endpoint->cancel();
    if (m_toolbox)
        m_toolbox->cancel();
}

bool ModelAgent::openToolbox() {
    const DataFolders &folders = m_setup.request.folders;
    const Result<Workspace> workspace = Workspace::open(m_request.workspace, folders);
    if (!workspace.hasValue()) {
        fail(workspace.message());
        return false;
    }
    const QString folder =
        WorkFolder::placeFor(workspace.value(), folders, QStringLiteral("model-") + m_setup.profile.name);
    m_toolbox = std::make_unique<Toolbox>(ToolPlace{workspace.value(), folder, m_setup.request}, *m_measurer);
    connect(m_toolbox.get(), &Toolbox::ended, this, &ModelAgent::takeAnswer);
    connect(m_toolbox.get(), &Toolbox::progress, this, &ModelAgent::toolProgressed);
    connect(m_toolbox.get(), &Toolbox::planChanged, this, &ModelAgent::planChanged);
    connect(m_toolbox.get(), &Toolbox::submitted, this,
            [this](const QString &, const ToolSubmission &submission) { takeSubmission(submission); });
    return true;
}

// Its copy holds the text as reviewed; but what it has changed and not submitted stays, as long as the text
// below it is the same.
bool ModelAgent::layOut() {
    m_toolbox->setRequest(m_request);
    const bool isReviewed = m_memory.waiting().has_value();
    const CandidateTexts wanted = isReviewed || !m_memory.texts() || m_memory.base() != m_request.texts
                                      ? m_request.texts
                                      : *m_memory.texts();
    const Result<void> laid = m_toolbox->setTexts(wanted);
    if (!laid.hasValue()) {
        fail(laid.message());
        return false;
    }
    if (m_isUnfinished && wanted == m_request.texts && m_memory.texts())
        emit message({AgentMessage::Role::System,
                      m_request.proposal + QStringLiteral("-begins-anew"),
                      notTakenUpWords(m_setup.profile.name, m_memory.base(), *m_memory.texts()),
                      false,
                      {}});
    Json memory = std::exchange(m_isUnfinished, false) ? unfinishedMemory(false) : Json();
    if (const Json entry = m_memory.setTexts(wanted, m_request.texts); !entry.is_null())
        memory["hand"] = entry;
    if (!memory.is_null())
        emit remembered(memory);
    return true;
}

void ModelAgent::goOn() {
    const std::optional<ModelMemory::Waiting> waiting = m_memory.waiting();
    const auto found =
        std::find_if(m_request.feedback.begin(), m_request.feedback.end(),
                     [&](const Feedback &one) { return waiting && one.proposal == waiting->proposal.id; });
    const bool isAnswered = waiting && (waiting->feedback || found != m_request.feedback.end());
    if (waiting && !isAnswered)
        return proposeAgain();
    if (!m_toolbox && !openToolbox())
        return;
    if (!layOut())
        return;
    if (m_conversation.isEmpty()) {
        const Result<ModelTask> task = readModelTask(m_request, m_setup.request.folders);
        if (!task.hasValue())
            return fail(task.message());
        for (const QString &remark : task.value().remarks)
            emit message({AgentMessage::Role::System,
                          m_request.proposal + QStringLiteral("-rules"),
                          remark,
                          false,
                          {}});
        add({ChatMessage::Role::System, task.value().rules, {}, {}, {}, {}});
        add({ChatMessage::Role::Person,
             task.value().task + personsWords(m_request.messages),
             {},
             {},
             {},
             {}});
        return turn();
    }
    // Every call of its last answer gets its result: that of submit says what became of the proposal.
    ChatMessage results;
    results.role = ChatMessage::Role::Results;
    if (waiting) {
        results.results = waiting->results;
        for (ChatResult &result : results.results)
            if (result.call == waiting->call)
                result.text =
                    feedbackWords(found != m_request.feedback.end() ? *found : *waiting->feedback, m_request);
    } else {
        for (const ChatCall &call : m_conversation.openCalls())
            results.results.push_back({call.id, call.name, unfinishedCallWords(), true});
    }
    results.text = personsWords(m_request.messages);
    if (results.results.empty()) {
        // It was left while nothing was open: what has changed since, or a person's words, begin the turn.
        results.role = ChatMessage::Role::Person;
        results.text = goOnWords(m_request) + results.text;
    }
    add(std::move(results), m_memory.answered());
    turn();
}

// Of a run that goes on: it had submitted, and nobody has answered.
void ModelAgent::proposeAgain() {
    const ModelMemory::Waiting waiting = *m_memory.waiting();
    Proposal proposal = waiting.proposal;
    proposal.id = m_request.proposal;
    if (const Json entry = m_memory.submitted(waiting.call, proposal, waiting.results); !entry.is_null())
        emit remembered(Json{{"hand", entry}});
    m_isProposing = false;
    emit proposed(proposal);
}

/// One event tells of what was said and of what is in hand since: a program that is killed between two would
/// leave a call with no result whose change is there.
void ModelAgent::add(ChatMessage message, const Json &hand) {
    Json memory{{"said", m_conversation.add(std::move(message))}};
    if (!hand.is_null())
        memory["hand"] = hand;
    emit remembered(memory);
}

/// What the person wrote since the last turn.
QString ModelAgent::heardWords() {
    m_heard.clear();
    emit attends();
    return personsWords(std::exchange(m_heard, {}));
}

/// To the model, and to whoever reads the run.
void ModelAgent::say(const QString &text) {
    emit message({AgentMessage::Role::System,
                  QStringLiteral("%1-t%2").arg(m_request.proposal).arg(m_memory.turns()),
                  text,
                  false,
                  {}});
    if (!m_isProposing)
        return;
    add({ChatMessage::Role::Person, text + heardWords(), {}, {}, {}, {}});
    turn();
}

void ModelAgent::end(const QString &why) {
    if (!std::exchange(m_isProposing, false))
        return;
    emit noted({});
    emit done(why);
}

void ModelAgent::fail(const QString &why) {
    if (!std::exchange(m_isProposing, false))
        return;
    emit noted({});
    keepUnfinished();
    emit failed(why);
}

// What it has changed is remembered as it goes; that it waits has to be said, to the record and the person.
void ModelAgent::keepUnfinished() {
    const bool isInHand =
        m_memory.texts() && m_memory.base() == m_request.texts && *m_memory.texts() != m_request.texts;
    if (!isInHand || m_memory.waiting())
        return;
    m_isUnfinished = true;
    emit remembered(unfinishedMemory(true));
    emit message({AgentMessage::Role::System,
                  m_request.proposal + QStringLiteral("-unfinished"),
                  unfinishedWords(m_setup.profile.name, m_request.texts, *m_memory.texts()),
                  false,
                  {}});
}

} // namespace warpwright
