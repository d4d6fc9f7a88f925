// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "toolchain/base/json.h"
#include "toolchain/base/result.h"

#include <QByteArray>
#include <QString>

#include <vector>

/// What a model and we say to each other, in no endpoint's dialect: values.
namespace warpwright {

/// A tool that the model asked for.
struct ChatCall {
    QString id; ///< the endpoint's; unique in its message
    QString name;
    QByteArray arguments; ///< as the model wrote them: UTF-8, perhaps no JSON; empty: it wrote none

    bool operator==(const ChatCall &) const = default;
};

/// What came of one call. Every call of a message has exactly one in the next message.
struct ChatResult {
    QString call; ///< its id
    QString name; ///< of the tool
    QString text;
    bool isError = false;

    bool operator==(const ChatResult &) const = default;
};

/// The arguments as they can be said again: a JSON object. Servers read what they are sent of a call, and
/// refuse the whole conversation, or fail, where a model once wrote something else. That is shown to it as
/// {"unreadable": its beginning}; none at all are {}.
[[nodiscard]] Json sayableArguments(const QByteArray &arguments);
/// The same as text: byte for byte what the model wrote where that is right, so that it is found in a cache.
[[nodiscard]] QByteArray sayableText(const QByteArray &arguments);
/// A tool's name as it can be said again: [A-Za-z0-9_-]{1,64}, as endpoints want it, whatever the model
/// wrote.
[[nodiscard]] QString sayableName(const QString &name);

struct ChatMessage {
    enum class Role {
        System,
        Person, ///< whatever is ours to say: the task, what a person wrote, what became of a proposal
        Model,
        Results ///< of the calls of the message before; `text` goes behind them as a person's
    };

    Role role = Role::Person;
    QString text;
    QString thinking; ///< Model: as far as the endpoint shows it
    std::vector<ChatCall> calls;
    std::vector<ChatResult> results;
    /// Model: what the endpoint wants back as it was (signatures of thinking, encrypted reasoning, ids), with
    /// the dialect and model that it is of. Null: nothing. Said again in place of text and calls, so whoever
    /// changes those clears it.
    Json state;

    bool operator==(const ChatMessage &) const = default;
};

/// For the record of a run; bytes that are no UTF-8 as {"base64": …}.
[[nodiscard]] Json chatMessageToJson(const ChatMessage &message);
/// An error, for people, where it is no message of ours.
[[nodiscard]] Result<ChatMessage> chatMessageFromJson(const Json &json);

/// A tool as a model is told of it.
struct ChatTool {
    QString name; ///< [A-Za-z0-9_-]{1,64}
    QString description;
    Json parameters; ///< JSON Schema, "type": "object"

    bool operator==(const ChatTool &) const = default;
};

struct ChatRequest {
    std::vector<ChatMessage> messages; ///< System first; the same prefix each time, so that it can be cached
    std::vector<ChatTool> tools;       ///< in the same order each time

    bool operator==(const ChatRequest &) const = default;
};

enum class ChatStop {
    Finished,    ///< it has said what it had to say
    CalledTools, ///< at least one call waits for its result
    TokenLimit,  ///< cut: the last call may be half of one, and is not among `calls` then
    ContextFull, ///< the endpoint's window is full
    Refused,     ///< the model or a filter would not go on
};
[[nodiscard]] QString chatStopName(ChatStop stop); ///< "finished", "called-tools", "token-limit", …

/// One whole answer of a model.
struct ChatReply {
    ChatMessage message; ///< role Model
    ChatStop stop = ChatStop::Finished;
    AgentUsage usage; ///< cost by the profile's prices; isEstimated says that the endpoint counted nothing

    bool operator==(const ChatReply &) const = default;
};

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::ChatReply)
