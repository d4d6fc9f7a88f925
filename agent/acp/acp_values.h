// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "toolchain/base/json.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

/// What an agent of the Agent Client Protocol says and asks, in no version's words.
namespace warpwright {

/// A way to sign in.
struct AcpAuthMethod {
    QString id;
    QString name;
    QString description;
    bool isTerminal = false;  ///< a person runs a command and the agent is started anew; it is asked nothing
    QStringList command = {}; ///< of its own; empty, where it is by a terminal: the agent's
    QStringList arguments = {};   ///< behind the command
    QStringList environment = {}; ///< NAME=VALUE, for that command
    QStringList variables = {};   ///< that the agent reads from its environment

    bool operator==(const AcpAuthMethod &) const = default;
};

/// What an agent says of itself when it is greeted.
struct AcpFacts {
    QString name; ///< for people
    QString version;
    bool loadsSessions = false; ///< session/load: with all that was said in it
    std::vector<AcpAuthMethod> authMethods;

    bool operator==(const AcpFacts &) const = default;
};

/// A program that speaks MCP, which the agent starts by itself.
struct AcpToolServer {
    QString name;
    QString command;
    QStringList arguments;

    bool operator==(const AcpToolServer &) const = default;
};

/// Of a tool call: what one message says of it. What is empty was not said.
struct AcpToolState {
    QString id;
    QString title;
    QString kind;                ///< "read", "edit", "execute" …
    QString status;              ///< "pending", "in_progress", "completed", "failed"
    std::optional<QString> text; ///< its content, for people
    QStringList paths;
    Json input = Json();

    bool operator==(const AcpToolState &) const = default;
};

/// One thing that an agent tells while it works.
struct AcpUpdate {
    enum class Kind { Message, Thought, ToolCall, Plan, Usage, Other };

    Kind kind = Kind::Other;
    QString text;      ///< a piece of a message or of what it thinks
    QString messageId; ///< pieces of one message have one; empty: it gives none
    AcpToolState tool;
    std::vector<PlanItem> plan; ///< the whole
    std::optional<qint64> contextTokens;
    std::optional<qint64> contextLimit;
    std::optional<double> cost; ///< of the session so far
    QString currency;
};

enum class AcpStop { EndTurn, MaxTokens, MaxRequests, Refusal, Cancelled, Other };

/// How a turn of an agent ended.
struct AcpTurnEnd {
    AcpStop stop = AcpStop::Other;
    QString word; ///< as the agent said it
    // Of the session so far; empty: it does not say.
    std::optional<qint64> tokensIn; ///< cached ones included
    std::optional<qint64> tokensOut;
    std::optional<qint64> tokensCached;
};

struct AcpOption {
    QString id;
    QString name;
    QString kind; ///< "allow_once", "allow_always", "reject_once", "reject_always"

    bool operator==(const AcpOption &) const = default;
};

/// An agent asks whether it may.
struct AcpPermission {
    AcpToolState tool;
    std::vector<AcpOption> options;
};

struct AcpReadFile {
    QString path;
    int line = 1;   ///< the first that is wanted
    int lines = -1; ///< so many; -1: all
};

struct AcpWriteFile {
    QString path;
    QString text;
};

struct AcpCommand {
    QString program;
    QStringList arguments;
    std::vector<std::pair<QString, QString>> environment; ///< beside ours
    QString folder;                                       ///< empty: the session's
    qint64 outputBytes = 1024 * 1024;                     ///< the last so many are kept
};

/// How far a command is.
struct AcpCommandState {
    QString output;
    bool isTruncated = false; ///< its beginning is not in `output`
    bool hasEnded = false;
    int exitCode = 0;
    int signal = 0; ///< that ended it; 0: none
};

} // namespace warpwright
