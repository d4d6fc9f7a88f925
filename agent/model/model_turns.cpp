// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/model_agent.h"
#include "agent/model/model_words.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double roomReserved = 0.03;    // what an estimate may be off by, and the frame of a request
constexpr qint64 leastWorkTokens = 1500; // in less nothing can be read and changed
constexpr qint64 leastToJudge = 3000;    // tokens sent, from which on an endpoint's count is looked at
constexpr qint64 bytesOfToken = 4;
constexpr qint64 answersInRoom = 6; // a tool's answer is to leave room for a few more
constexpr qint64 leastAnswerBytes = 1024;
constexpr int mostOverflows = 3; // of one request, until it is summed up or given up

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
        if (!m_isProposing)
            return;
        m_partial.clear();
        if (!m_isSummingUp)
            emit messageGivenUp(m_messageId);
        emit noted(waitingWords(why, milliseconds));
    });
    connect(m_endpoint.get(), &Endpoint::answered, this, [this](const ChatReply &reply) {
        if (m_isProposing)
            takeReply(reply);
    });
    connect(m_endpoint.get(), &Endpoint::failed, this, &ModelAgent::takeProblem);
}

/// As large as the endpoint has said, or the profile.
qint64 ModelAgent::window() const {
    return std::min(m_setup.profile.contextTokens, m_window.value_or(m_setup.profile.contextTokens));
}

/// Tokens that the conversation may have.
qint64 ModelAgent::room() const {
    const auto reserved = static_cast<qint64>(static_cast<double>(window()) * roomReserved);
    // A window that an answer of the full length would fill has to leave half of itself.
    const qint64 answer = std::min(m_setup.profile.answerTokens, window() / 2);
    return std::max<qint64>(1024, window() - answer - reserved - toolTokens(chatTools()));
}

/// Of it, what is left beside the rules and the task, which are never cut.
qint64 ModelAgent::workRoom() const {
    return room() - m_conversation.fixedTokens();
}

/// Empty: there is room to work in.
QString ModelAgent::whyNoWindow() const {
    const qint64 missing = leastWorkTokens - workRoom();
    if (missing <= 0)
        return {};
    const qint64 tools = toolTokens(chatTools());
    const qint64 taken = m_conversation.fixedTokens() + tools;
    const qint64 answer = std::min(m_setup.profile.answerTokens, window() / 2);
    const auto needed =
        static_cast<qint64>(static_cast<double>(taken + answer + leastWorkTokens) / (1 - roomReserved)) + 1;
    return smallWindowWords(m_setup.profile, window(), taken, needed);
}

void ModelAgent::turn() {
    if (!m_isProposing)
        return;
    if (m_memory.turns() >= m_setup.limits.turns)
        return end(QStringLiteral("%1 has answered %2 times, the most in one run.")
                       .arg(m_setup.profile.name)
                       .arg(m_setup.limits.turns));
    if (const QString why = whyNoWindow(); !why.isEmpty())
        return fail(why);
    if (!makeRoom())
        return askForSummary();
    if (!m_isProposing) // whoever was told may have stopped us
        return;
    m_toolbox->setMostAnswerBytes(std::max(leastAnswerBytes, workRoom() * bytesOfToken / answersInRoom));
    m_messageId = QStringLiteral("%1-t%2").arg(m_request.proposal).arg(m_memory.turns() + 1);
    m_partial.clear();
    emit noted(thinkingWords(m_setup.profile.name));
    m_endpoint->ask({m_conversation.messages(), chatTools()});
}

/// Cuts what was said, where the window is nearly full. False: it has to be summed up.
bool ModelAgent::makeRoom() {
    const auto share = [this](double of) {
        return m_conversation.fixedTokens() + static_cast<qint64>(static_cast<double>(workRoom()) * of);
    };
    const qint64 most = share(m_setup.limits.pruneAt);
    const qint64 until = share(m_setup.limits.pruneTo);
    if (m_conversation.tokens() <= most)
        return true;
    const bool isCut = prune(until, most, Conversation::Last::IsKept);
    if (!m_isProposing || m_conversation.tokens() <= (isCut ? room() : most))
        return true;
    if (m_conversation.canSumUp(workRoom() / 2))
        return false;
    prune(until, most, Conversation::Last::IsShortened);
    return true; // whether it fits now is the endpoint's to say
}

/// Whether there was anything to cut.
bool ModelAgent::prune(qint64 untilTokens, qint64 mostTokens, Conversation::Last last) {
    Conversation::Cut cut;
    const Json entry = m_conversation.prune(untilTokens, mostTokens, last, cut);
    if (!cut.isAny())
        return false;
    emit remembered(Json{{"said", entry}});
    tellCut(cut);
    return true;
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

void ModelAgent::takeSummary(const QString &summary) {
    Conversation::Cut cut;
    const Json entry = m_conversation.sumUp(
        summaryWords(summary.trimmed().isEmpty() ? noSummaryWords() : summary, m_request), workRoom() / 2,
        cut);
    emit remembered(Json{{"said", entry}});
    tellCut(cut);
    turn();
}

/// Whether the endpoint counted about what it was sent. One that reads the end of it alone has forgotten the
/// rules, and says nothing of it.
bool ModelAgent::isCountRight(const ChatReply &reply) {
    const AgentUsage &usage = reply.usage;
    qint64 sent = toolTokens(chatTools());
    for (const ChatMessage &message : m_conversation.messages())
        sent += writtenTokens(message);
    // Some count what came from their cache apart.
    if (usage.isEstimated || usage.tokensCached > 0 || usage.tokensIn <= 0 || sent < leastToJudge ||
        usage.tokensIn * 2 >= sent)
        return true;
    if (!std::exchange(m_hasToldCount, true))
        emit message({AgentMessage::Role::System,
                      m_messageId + QStringLiteral("-count"),
                      cutSilentlyWords(m_setup.profile, sent, usage.tokensIn),
                      false,
                      {}});
    return false;
}

void ModelAgent::takeReply(const ChatReply &reply) {
    m_overflows = 0;
    if (std::exchange(m_isSummingUp, false)) {
        emit used(reply.usage);
        if (m_isProposing)
            takeSummary(reply.message.text);
        return;
    }
    m_partial.clear();
    emit noted({});
    AgentUsage usage = reply.usage;
    if (reply.stop == ChatStop::ContextFull && reply.message.calls.empty())
        return takeProblem({EndpointProblem::Kind::ContextFull, {}, 200, {}, {}, {}});
    const bool isRight = isCountRight(reply);
    if (!m_isProposing)
        return;
    const bool isEmpty = reply.message.text.trimmed().isEmpty() && reply.message.calls.empty();
    if (!isEmpty) {
        if (!reply.message.text.trimmed().isEmpty() || !reply.message.thinking.isEmpty())
            emit message(
                {AgentMessage::Role::Agent, m_messageId, reply.message.text, false, reply.message.thinking});
        add(reply.message, m_memory.turned());
        m_conversation.counted(reply.usage.isEstimated || !isRight ? 0 : reply.usage.tokensIn);
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
    m_failsForAll = problem.isOfEveryRequest();
    if (problem.kind != EndpointProblem::Kind::ContextFull)
        return fail(problem.message);
    if (problem.contextLimit && *problem.contextLimit < window())
        m_window = *problem.contextLimit;
    if (wasSummingUp)
        return takeSummary({});
    // Less of it, then less of what was said last, too; then a summary. What we estimate may be far off.
    const qint64 now = m_conversation.tokens();
    const qint64 work = std::min(workRoom(), now - m_conversation.fixedTokens());
    const qint64 wanted = m_conversation.fixedTokens() + std::max<qint64>(0, work) / 2;
    if (++m_overflows <= mostOverflows &&
        prune(wanted, wanted,
              m_overflows == 1 ? Conversation::Last::IsKept : Conversation::Last::IsShortened))
        return turn();
    if (m_conversation.canSumUp(workRoom() / 2))
        return askForSummary();
    fail(contextFullWords(m_setup.profile, problem.message));
}

} // namespace warpwright
