// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/model_agent.h"
#include "agent/model/model_words.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double roomReserved = 0.03; // what an estimate may be off by, and the frame of a request

std::vector<ChatTool> chatTools() {
    std::vector<ChatTool> tools;
    for (const ToolSpec &spec : Toolbox::specs())
        tools.push_back({spec.name, spec.description, spec.parameters});
    return tools;
}

} // namespace

void ModelAgent::listenToEndpoint() {
    connect(m_endpoint.get(), &Endpoint::textArrived, this, [this](const QString &piece) {
        if (!m_isProposing || m_isSummingUp)
            return;
        m_partial += piece;
        emit noted({});
        emit messageDelta(m_messageId, piece);
    });
    connect(m_endpoint.get(), &Endpoint::thinkingArrived, this, [this](const QString &piece) {
        if (m_isProposing && !m_isSummingUp)
            emit thoughtDelta(m_messageId, piece);
    });
    connect(m_endpoint.get(), &Endpoint::callArrives, this, [this](const QString &name, qint64 bytes) {
        if (m_isProposing)
            emit noted(callArrivesWords(name, bytes));
    });
    connect(m_endpoint.get(), &Endpoint::waiting, this, [this](const QString &why, int milliseconds) {
        if (m_isProposing)
            emit noted(waitingWords(why, milliseconds));
    });
    connect(m_endpoint.get(), &Endpoint::answered, this, [this](const ChatReply &reply) {
        if (m_isProposing)
            m_isSummingUp ? takeSummary(reply) : takeReply(reply);
    });
    connect(m_endpoint.get(), &Endpoint::failed, this, &ModelAgent::takeProblem);
}

/// Tokens that the conversation may have.
qint64 ModelAgent::room() const {
    const ModelProfile &profile = m_setup.profile;
    const auto reserved = static_cast<qint64>(static_cast<double>(profile.contextTokens) * roomReserved);
    // A window that an answer of the full length would fill has to leave half of itself.
    const qint64 answer = std::min(profile.answerTokens, profile.contextTokens / 2);
    return std::max<qint64>(1024, profile.contextTokens - answer - reserved - toolTokens(chatTools()));
}

void ModelAgent::turn() {
    if (!m_isProposing)
        return;
    if (m_memory.turns() >= m_setup.limits.turns)
        return end(QStringLiteral("%1 has answered %2 times, the most in one run.")
                       .arg(m_setup.profile.name)
                       .arg(m_setup.limits.turns));
    const auto share = [this](double of) {
        return static_cast<qint64>(static_cast<double>(room()) * of);
    };
    if (m_conversation.tokens() > share(m_setup.limits.pruneAt) && !makeRoom(share(m_setup.limits.pruneTo)))
        return askForSummary();
    if (!m_isProposing) // whoever was told may have stopped us
        return;
    m_messageId = QStringLiteral("%1-t%2").arg(m_request.proposal).arg(m_memory.turns() + 1);
    m_partial.clear();
    emit noted(thinkingWords(m_setup.profile.name));
    m_endpoint->ask({m_conversation.messages(), chatTools()});
}

/// False: leaving results out is not enough, and there is something to sum up.
bool ModelAgent::makeRoom(qint64 untilTokens) {
    Conversation::Cut cut;
    const Json entry = m_conversation.prune(untilTokens, cut);
    if (cut.results > 0) {
        emit remembered(Json{{"said", entry}});
        tellCut(cut);
    }
    return m_conversation.tokens() <= room() || !m_conversation.canSumUp();
}

void ModelAgent::tellCut(const Conversation::Cut &cut) {
    emit message({AgentMessage::Role::System,
                  QStringLiteral("%1-cut%2").arg(m_request.proposal).arg(m_memory.turns()),
                  cut.words(),
                  false,
                  {}});
}

void ModelAgent::askForSummary() {
    m_isSummingUp = true;
    emit noted(QStringLiteral("sums up what came before"));
    ChatRequest request{m_conversation.messages(), {}};
    // An open call would need its result first.
    request.messages.push_back({ChatMessage::Role::Person, summaryQuestion(), {}, {}, {}, {}});
    m_endpoint->ask(request);
}

void ModelAgent::takeSummary(const ChatReply &reply) {
    m_isSummingUp = false;
    emit used(reply.usage);
    if (!m_isProposing)
        return;
    if (reply.message.text.trimmed().isEmpty())
        return fail(
            QStringLiteral("The context of %1 is full, and it did not sum up what was said. wright tune "
                           "--continue asks it again; begin another run with a model of a larger window.")
                .arg(m_setup.profile.name));
    Conversation::Cut cut;
    const Json entry = m_conversation.sumUp(summaryWords(reply.message.text, m_request), cut);
    emit remembered(Json{{"said", entry}});
    tellCut(cut);
    turn();
}

void ModelAgent::takeReply(const ChatReply &reply) {
    m_hasMadeRoom = false;
    m_partial.clear();
    emit noted({});
    AgentUsage usage = reply.usage;
    if (reply.stop == ChatStop::ContextFull && reply.message.calls.empty())
        return takeProblem({EndpointProblem::Kind::ContextFull, {}, 200, {}, {}});
    const bool isEmpty = reply.message.text.trimmed().isEmpty() && reply.message.calls.empty();
    if (!isEmpty) {
        if (!reply.message.text.trimmed().isEmpty() || !reply.message.thinking.isEmpty())
            emit message(
                {AgentMessage::Role::Agent, m_messageId, reply.message.text, false, reply.message.thinking});
        add(reply.message, m_memory.turned());
        m_conversation.counted(reply.usage.isEstimated ? 0 : reply.usage.tokensIn);
    } else {
        emit remembered(Json{{"hand", m_memory.turned()}});
    }
    usage.contextTokens = m_conversation.tokens();
    usage.contextLimit = m_setup.profile.contextTokens;
    emit used(usage);
    if (!m_isProposing) // a budget may have ended the run
        return;
    if (reply.stop == ChatStop::Refused)
        return fail(refusedWords(m_setup.profile.name, reply.message.text));
    if (reply.message.calls.empty())
        return takeTalk(reply);
    m_talks = 0;
    m_submission.reset();
    m_results.clear();
    m_calls.assign(reply.message.calls.begin(), reply.message.calls.end());
    callNext();
}

// A model that only talks, says nothing, or has done enough.
void ModelAgent::takeTalk(const ChatReply &reply) {
    ++m_talks;
    if (saysDone(reply.message.text))
        return end(QStringLiteral("%1 is done: %2").arg(m_setup.profile.name, doneWords(reply.message.text)));
    if (m_talks >= m_setup.limits.talks)
        return end(QStringLiteral("%1 has answered %2 times without calling a tool; its last words: %3")
                       .arg(m_setup.profile.name)
                       .arg(m_talks)
                       .arg(doneWords(reply.message.text)));
    say(reply.stop == ChatStop::TokenLimit ? cutOffQuestion(m_setup.profile.answerTokens)
                                           : noCallQuestion(reply.message.text.trimmed().isEmpty()));
}

void ModelAgent::takeProblem(const EndpointProblem &problem) {
    if (!m_isProposing)
        return;
    const bool wasSummingUp = std::exchange(m_isSummingUp, false);
    if (problem.kind != EndpointProblem::Kind::ContextFull)
        return fail(problem.message);
    // Once all results that may go, then a summary, and no third time.
    const qint64 wanted = std::min(room(), problem.contextLimit.value_or(room())) / 2;
    if (!wasSummingUp && !std::exchange(m_hasMadeRoom, true)) {
        Conversation::Cut cut;
        const Json entry = m_conversation.prune(wanted, cut);
        if (cut.results > 0) {
            emit remembered(Json{{"said", entry}});
            tellCut(cut);
            return turn();
        }
    }
    if (!wasSummingUp && m_conversation.canSumUp())
        return askForSummary();
    fail(contextFullWords(m_setup.profile, problem.message));
}

} // namespace warpwright
