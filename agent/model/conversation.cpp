// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/conversation.h"

#include "toolchain/base/figures.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpwright {
namespace {

constexpr std::size_t kept = 2;                              // the rules, the task
constexpr int turnsKept = 4;                                 // answers of the model, with what came of them
constexpr qsizetype shortResult = 400;                       // characters; leaving it out would win nothing
constexpr qsizetype shortened[] = {4000, 1200, shortResult}; // characters of the last turns' results, in turn
constexpr std::uint64_t mostShortened = 1'000'000;
constexpr qint64 bytesOfToken = 4;  // of code and English
constexpr qint64 tokensOfFrame = 8; // role, ids
const char *const leftOutBegin = "[Left out to save room: ";

bool isLeftOut(const ChatResult &result) {
    return result.text.startsWith(QLatin1String(leftOutBegin));
}

qint64 tokensIn(const QString &text) {
    return (text.toUtf8().size() + bytesOfToken - 1) / bytesOfToken;
}

} // namespace

qint64 writtenTokens(const ChatMessage &message) {
    qint64 tokens = tokensOfFrame + tokensIn(message.text);
    for (const ChatCall &call : message.calls)
        tokens += tokensOfFrame + tokensIn(call.name) + call.arguments.size() / bytesOfToken;
    for (const ChatResult &result : message.results)
        tokens += tokensOfFrame + tokensIn(result.text);
    return tokens;
}

qint64 estimatedTokens(const ChatMessage &message) {
    qint64 tokens = writtenTokens(message);
    // What the endpoint wants back is paid for as well.
    if (!message.state.is_null())
        tokens += static_cast<qint64>(message.state.dump().size()) / bytesOfToken;
    return tokens;
}

QString Conversation::Cut::words() const {
    QStringList what;
    if (messages > 0)
        what << QStringLiteral("%1 summed up").arg(countText(messages, QStringLiteral("message")));
    if (results > 0)
        what << QStringLiteral("%1 left out").arg(countText(results, QStringLiteral("tool result")));
    if (shortened > 0)
        what << QStringLiteral("%1 shortened").arg(countText(shortened, QStringLiteral("tool result")));
    return QStringLiteral("The context was cut: %1, about %2 tokens before and %3 now.")
        .arg(what.join(QStringLiteral(", ")), numberText(static_cast<double>(tokensBefore)),
             numberText(static_cast<double>(tokensAfter)));
}

std::vector<ChatCall> Conversation::openCalls() const {
    return m_messages.empty() ? std::vector<ChatCall>() : m_messages.back().calls;
}

qint64 Conversation::tokens() const {
    qint64 tokens = m_counted;
    for (std::size_t i = m_countedUntil; i < m_messages.size(); ++i)
        tokens += estimatedTokens(m_messages[i]);
    return tokens;
}

qint64 Conversation::fixedTokens() const {
    qint64 tokens = 0;
    for (std::size_t i = 0; i < std::min(kept, m_messages.size()); ++i)
        tokens += estimatedTokens(m_messages[i]);
    return tokens;
}

void Conversation::counted(qint64 tokens) {
    if (tokens <= 0 || m_messages.empty())
        return;
    m_counted = tokens;
    m_countedUntil = m_messages.size() - 1;
}

Json Conversation::add(ChatMessage message) {
    m_messages.push_back(std::move(message));
    return Json{{"message", chatMessageToJson(m_messages.back())}};
}

// Where the last turns begin: with an answer of the model, so that no call loses its result.
std::size_t Conversation::lastTurns(qint64 mostTokens) const {
    int turns = 0;
    qint64 tokens = 0;
    std::size_t begin = m_messages.size();
    for (std::size_t i = m_messages.size(); i-- > kept && turns < turnsKept;) {
        tokens += estimatedTokens(m_messages[i]);
        if (m_messages[i].role != ChatMessage::Role::Model)
            continue;
        if (turns > 0 && tokens > mostTokens)
            return begin;
        ++turns;
        begin = i;
    }
    return turns == turnsKept ? begin : std::min(kept, m_messages.size());
}

void Conversation::leaveOut(std::size_t message) {
    for (ChatResult &result : m_messages[message].results) {
        if (result.text.size() <= shortResult || isLeftOut(result))
            continue;
        const QString first = result.text.section(QLatin1Char('\n'), 0, 0).left(shortResult / 2);
        result.text =
            QStringLiteral("%1%2 characters of the result of %3, which began: %4. Call it again where "
                           "you need it.]")
                .arg(QLatin1String(leftOutBegin))
                .arg(result.text.size())
                .arg(result.name, first);
    }
    m_counted = 0; // what was counted is not true any more
    m_countedUntil = 0;
}

int Conversation::shorten(std::size_t message, qsizetype characters) {
    int count = 0;
    for (ChatResult &result : m_messages[message].results) {
        if (result.text.size() <= characters)
            continue;
        const QString words =
            QStringLiteral("\n[%1 characters are left out here to save room.]\n").arg(result.text.size());
        const qsizetype half = std::max<qsizetype>(0, characters - words.size()) / 2;
        result.text = result.text.left(half) + words + result.text.right(half);
        ++count;
    }
    m_counted = 0;
    m_countedUntil = 0;
    return count;
}

Json Conversation::prune(qint64 untilTokens, qint64 mostTokens, Last last, Cut &cut) {
    cut = {};
    cut.tokensBefore = tokens();
    qint64 now = cut.tokensBefore;
    Json left = Json::array();
    const std::size_t end = lastTurns(std::numeric_limits<qint64>::max());
    for (std::size_t i = kept; i < end && now > untilTokens; ++i) {
        const qint64 before = estimatedTokens(m_messages[i]);
        const auto count = std::count_if(
            m_messages[i].results.begin(), m_messages[i].results.end(),
            [](const ChatResult &result) { return result.text.size() > shortResult && !isLeftOut(result); });
        if (count == 0)
            continue;
        leaveOut(i);
        cut.results += static_cast<int>(count);
        now -= before - estimatedTokens(m_messages[i]);
        left.push_back(i);
    }
    Json shorter = Json::array();
    const auto shortenTo = [&](std::size_t message, qsizetype characters) {
        const qint64 before = estimatedTokens(m_messages[message]);
        const int count = now > mostTokens ? shorten(message, characters) : 0;
        if (count == 0)
            return;
        cut.shortened += count;
        now -= before - estimatedTokens(m_messages[message]);
        shorter.push_back(Json::array({message, characters}));
    };
    for (const qsizetype characters : shortened)
        for (std::size_t i = end; i + 1 < m_messages.size(); ++i)
            shortenTo(i, characters);
    if (last == Last::IsShortened && m_messages.size() > kept)
        for (const qsizetype characters : shortened)
            shortenTo(m_messages.size() - 1, characters);
    cut.tokensAfter = now;
    return Json{{"leftOut", std::move(left)}, {"shortened", std::move(shorter)}};
}

bool Conversation::canSumUp(qint64 turnTokens) const {
    return lastTurns(turnTokens) > kept + 2;
}

void Conversation::putSummary(const QString &summary, std::size_t until) {
    ChatMessage message;
    message.text = summary;
    const auto at = [this](std::size_t index) {
        return m_messages.begin() + static_cast<std::ptrdiff_t>(index);
    };
    m_messages.erase(at(kept), at(until));
    m_messages.insert(at(kept), message);
    m_counted = 0;
    m_countedUntil = 0;
}

Json Conversation::sumUp(const QString &summary, qint64 turnTokens, Cut &cut) {
    const std::size_t until = lastTurns(turnTokens);
    cut = {};
    cut.tokensBefore = tokens();
    cut.messages = static_cast<int>(until - kept);
    putSummary(summary, until);
    cut.tokensAfter = tokens();
    return Json{{"summary", toJson(summary)}, {"until", until}};
}

Result<void> Conversation::recall(const Json &entry) {
    const auto none = [] {
        return Result<void>::error(QStringLiteral("its record of what was said to the model is broken"));
    };
    if (const auto message = entry.find("message"); message != entry.end()) {
        Result<ChatMessage> read = chatMessageFromJson(*message);
        if (!read.hasValue())
            return Result<void>::error(read.message());
        m_messages.push_back(std::move(read).value());
        return Result<void>::ok();
    }
    if (const auto left = entry.find("leftOut"); left != entry.end() && left->is_array()) {
        for (const Json &index : *left) {
            if (!index.is_number_unsigned() || index.get<std::size_t>() >= m_messages.size())
                return none();
            leaveOut(index.get<std::size_t>());
        }
        const auto shorter = entry.find("shortened");
        if (shorter == entry.end() || !shorter->is_array())
            return Result<void>::ok(); // of an older version
        for (const Json &one : *shorter) {
            if (!one.is_array() || one.size() != 2 || !one[0].is_number_unsigned() ||
                one[0].get<std::size_t>() >= m_messages.size() || !one[1].is_number_unsigned() ||
                one[1].get<std::uint64_t>() > mostShortened)
                return none();
            shorten(one[0].get<std::size_t>(), static_cast<qsizetype>(one[1].get<std::uint64_t>()));
        }
        return Result<void>::ok();
    }
    const auto until = entry.find("until");
    if (!entry.contains("summary") || until == entry.end() || !until->is_number_unsigned() ||
        until->get<std::size_t>() > m_messages.size() || until->get<std::size_t>() < kept)
        return none();
    putSummary(stringIn(entry, "summary"), until->get<std::size_t>());
    return Result<void>::ok();
}

} // namespace warpwright
