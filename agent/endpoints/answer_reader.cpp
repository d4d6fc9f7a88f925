// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/answer_reader.h"

#include "toolchain/base/json_of_models.h"

#include <QSet>
#include <QUuid>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qint64 bytesOfToken = 4;
/// Of the price of a token: Anthropic's, for a cache of five minutes, which is the one that we ask for.
constexpr double storedFactor = 1.25;

QString newId() {
    return QStringLiteral("call_") + QUuid::createUuid().toString(QUuid::Id128).left(24);
}

double costOf(const TokenCount &count, const ModelPrices &prices) {
    const auto plain = static_cast<double>(count.in - count.cached - count.stored);
    return (plain * *prices.in + static_cast<double>(count.cached) * prices.cached.value_or(*prices.in) +
            static_cast<double>(count.stored) * *prices.in * storedFactor +
            static_cast<double>(count.out) * *prices.out) /
           1e6;
}

} // namespace

AgentUsage usageOf(const std::optional<TokenCount> &count, qint64 requestBytes, qint64 answerBytes,
                   const ModelProfile &profile) {
    TokenCount tokens = count.value_or(TokenCount());
    if (!count) {
        tokens.in = (requestBytes + bytesOfToken - 1) / bytesOfToken;
        tokens.out = (answerBytes + bytesOfToken - 1) / bytesOfToken;
    }
    tokens.cached = std::clamp<qint64>(tokens.cached, 0, tokens.in);
    tokens.stored = std::clamp<qint64>(tokens.stored, 0, tokens.in - tokens.cached);
    AgentUsage usage;
    usage.tokensIn = tokens.in;
    usage.tokensOut = tokens.out;
    usage.tokensCached = tokens.cached;
    usage.isEstimated = !count;
    usage.contextTokens = tokens.in + tokens.out;
    usage.contextLimit = profile.contextTokens;
    if (profile.prices.in && profile.prices.out) {
        usage.cost = costOf(tokens, profile.prices);
        usage.currency = profile.prices.currency;
    } else if (tokens.cost) {
        usage.cost = *tokens.cost;
        usage.currency = QStringLiteral("USD");
    }
    return usage;
}

std::vector<AnswerPiece> AnswerReader::read(const SseEvent &event) {
    m_pieces.clear();
    if (m_hasEnded || !m_error.is_null())
        return {};
    if (event.data.trimmed() == "[DONE]") {
        // Chat Completions' last word; nobody else means anything by it.
        m_hasEnded = m_isUnderstood;
        return {};
    }
    const Result<Json> json = parseJsonOfModels(event.data);
    if (!json.hasValue() || !json.value().is_object())
        ++m_unreadable;
    else
        take(json.value(), event.name);
    return std::move(m_pieces);
}

std::vector<AnswerPiece> AnswerReader::readWhole(const QByteArray &body) {
    m_pieces.clear();
    const Result<Json> json = parseJsonOfModels(body);
    if (!json.hasValue() || !json.value().is_object())
        ++m_unreadable;
    else
        takeWhole(json.value());
    return std::move(m_pieces);
}

void AnswerReader::addText(const Json &text) {
    if (!text.is_string() || text.get_ref<const std::string &>().empty())
        return;
    const QString piece = fromJson(text.get_ref<const std::string &>());
    m_text += piece;
    m_pieces.push_back({AnswerPiece::Kind::Text, piece, 0});
}

void AnswerReader::addThinking(const Json &text) {
    if (!text.is_string() || text.get_ref<const std::string &>().empty())
        return;
    const QString piece = fromJson(text.get_ref<const std::string &>());
    m_thinking += piece;
    m_pieces.push_back({AnswerPiece::Kind::Thinking, piece, 0});
}

void AnswerReader::addArguments(Call &call, const Json &fragment) {
    if (fragment.is_string())
        call.arguments += QByteArray::fromStdString(fragment.get_ref<const std::string &>());
    else if (!fragment.is_null())
        call.arguments = dumpJson(fragment); // Ollama and others send the object itself
    showCall(call);
}

void AnswerReader::showCall(const Call &call) {
    m_pieces.push_back({AnswerPiece::Kind::Call, call.name, call.arguments.size()});
}

Json AnswerReader::newState() const {
    return {{"dialect", toJson(dialectName(m_profile.dialect))}, {"model", toJson(m_profile.model)}};
}

std::map<qint64, AnswerReader::Call> AnswerReader::keptCalls() const {
    std::map<qint64, Call> kept;
    QSet<QString> ids;
    const bool isCut = m_stop && *m_stop != ChatStop::Finished && *m_stop != ChatStop::CalledTools;
    for (const auto &[index, found] : m_calls) {
        const bool isLast = index == m_calls.rbegin()->first;
        Call call = found;
        if (call.isCut || (isCut && (call.isOpen || (isLast && !parseJson(call.arguments).hasValue()))))
            continue;
        if (call.name.isEmpty() && call.arguments.isEmpty())
            continue; // an index that was opened and never used
        if (call.id.isEmpty() || ids.contains(call.id))
            call.id = newId();
        ids.insert(call.id);
        kept.emplace(index, std::move(call));
    }
    return kept;
}

ChatReply AnswerReader::reply(qint64 requestBytes) const {
    const std::map<qint64, Call> kept = keptCalls();
    ChatReply reply;
    reply.message.role = ChatMessage::Role::Model;
    reply.message.text = m_text;
    reply.message.thinking = m_thinking;
    for (const auto &[index, call] : kept)
        reply.message.calls.push_back({call.id, call.name, call.arguments});
    reply.message.state = state(kept);
    reply.stop = m_stop.value_or(ChatStop::Finished);
    // Several servers say "stop" behind a call, or "tool_calls" behind none.
    if (reply.stop == ChatStop::Finished || reply.stop == ChatStop::CalledTools)
        reply.stop = kept.empty() ? ChatStop::Finished : ChatStop::CalledTools;
    qint64 answerBytes = m_text.toUtf8().size() + m_thinking.toUtf8().size();
    for (const auto &[index, call] : m_calls)
        answerBytes += call.name.size() + call.arguments.size();
    reply.usage = usageOf(m_count, requestBytes, answerBytes, m_profile);
    return reply;
}

const Json *stateFor(const ChatMessage &message, const ModelProfile &profile) {
    const bool isOurs = message.role == ChatMessage::Role::Model && message.state.is_object() &&
                        stringIn(message.state, "dialect") == dialectName(profile.dialect) &&
                        stringIn(message.state, "model") == profile.model;
    return isOurs ? &message.state : nullptr;
}

qint64 countIn(const Json &object, const char *key) {
    if (!object.is_object())
        return 0;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number())
        return 0;
    const double count = found->get<double>();
    return count > 0 && count < 1e15 ? static_cast<qint64>(count) : 0;
}

const Json &partIn(const Json &object, const char *key) {
    static const Json none = Json::object();
    if (!object.is_object())
        return none;
    const auto found = object.find(key);
    return found != object.end() && found->is_structured() ? *found : none;
}

} // namespace warpwright
