// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/chat.h"
#include "agent/endpoints/model_profile.h"
#include "agent/endpoints/sse_stream.h"

#include <map>
#include <optional>
#include <vector>

namespace warpwright {

/// What is new of an answer: to show at once.
struct AnswerPiece {
    enum class Kind { Text, Thinking, Call };

    Kind kind = Kind::Text;
    QString text;     ///< Call: its name
    qint64 bytes = 0; ///< Call: of its arguments, so far

    bool operator==(const AnswerPiece &) const = default;
};

/// Tokens as an endpoint counts them.
struct TokenCount {
    qint64 in = 0;     ///< all of the prompt
    qint64 cached = 0; ///< of `in`: read from a cache
    qint64 stored = 0; ///< of `in`: put into a cache, which Anthropic sells dearer
    qint64 out = 0;
    std::optional<double> cost; ///< where the endpoint says it itself (OpenRouter), in US dollars

    bool operator==(const TokenCount &) const = default;
};

/// `count`: empty: the endpoint counted nothing, and 4 bytes of request and answer are taken for a token.
[[nodiscard]] AgentUsage usageOf(const std::optional<TokenCount> &count, qint64 requestBytes,
                                 qint64 answerBytes, const ModelProfile &profile);

/// Gathers one answer of one dialect from its events: the common part.
///
/// Unknown events and fields are passed over. Calls are kept by the endpoint's index; each gets an id that is
/// unique in its message, and one that was cut is left out.
class AnswerReader {
public:
    explicit AnswerReader(ModelProfile profile) : m_profile(std::move(profile)) {}
    virtual ~AnswerReader() = default;
    AnswerReader(const AnswerReader &) = delete;
    AnswerReader &operator=(const AnswerReader &) = delete;

    /// What one event brings. One that is no JSON counts as unreadable and brings nothing.
    [[nodiscard]] std::vector<AnswerPiece> read(const SseEvent &event);
    /// The whole answer at once, of a server that does not stream.
    [[nodiscard]] std::vector<AnswerPiece> readWhole(const QByteArray &body);

    /// It has said how it ended: what comes now is of no interest.
    [[nodiscard]] bool hasEnded() const { return m_hasEnded; }
    /// At least one event was of this dialect.
    [[nodiscard]] bool isUnderstood() const { return m_isUnderstood; }
    [[nodiscard]] int unreadableEvents() const { return m_unreadable; }
    /// An error that came inside of the stream: the endpoint's JSON. Null: none.
    [[nodiscard]] const Json &error() const { return m_error; }
    /// The stream may end now without being cut: every promise of it was kept.
    [[nodiscard]] virtual bool isWhole() const { return m_hasEnded; }

    [[nodiscard]] ChatReply reply(qint64 requestBytes) const;

protected:
    struct Call {
        QString id;
        QString name;
        QByteArray arguments;
        Json extra;          ///< other fields of the endpoint's, to be said again
        bool isCut = false;  ///< the endpoint says so
        bool isOpen = false; ///< it has not said that this one is complete, where it would
    };

    virtual void take(const Json &event, const QByteArray &name) = 0;
    virtual void takeWhole(const Json &body) = 0;
    /// What has to be said again next time; `calls` are those that are kept, ids as in the message.
    [[nodiscard]] virtual Json state(const std::map<qint64, Call> &calls) const = 0;

    void addText(const Json &text);
    void addThinking(const Json &text);
    void addArguments(Call &call, const Json &fragment);
    void showCall(const Call &call);
    void stop(ChatStop stop) { m_stop = stop; }
    [[nodiscard]] std::optional<ChatStop> stopSaid() const { return m_stop; }
    /// Dialect and model, which the state must be of to be said again.
    [[nodiscard]] Json newState() const;

    ModelProfile m_profile;
    std::map<qint64, Call> m_calls;
    std::optional<TokenCount> m_count;
    Json m_error;
    bool m_hasEnded = false;
    bool m_isUnderstood = false;

private:
    [[nodiscard]] std::map<qint64, Call> keptCalls() const;

    std::vector<AnswerPiece> m_pieces;
    QString m_text;
    QString m_thinking;
    std::optional<ChatStop> m_stop;
    int m_unreadable = 0;
};

/// The state of a message for a request with this profile; null where it is of another dialect or model.
[[nodiscard]] const Json *stateFor(const ChatMessage &message, const ModelProfile &profile);

/// The member as a whole number; 0 where there is none.
[[nodiscard]] qint64 countIn(const Json &object, const char *key);
/// The member where it is an object or a list; an empty object otherwise.
[[nodiscard]] const Json &partIn(const Json &object, const char *key);

} // namespace warpwright
