// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/history/iteration.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <optional>

/// What an agent says beside its proposals: values that the session shows and records.
namespace warpwright {

struct AgentIdentity {
    AuthorKind kind = AuthorKind::Model;
    QString name; ///< "script", a model's name
    QString version;

    [[nodiscard]] Author author() const { return {kind, name}; }
    bool operator==(const AgentIdentity &) const = default;
};

struct AgentMessage {
    enum class Role { Agent, Person, System };

    Role role = Role::Agent;
    QString id;
    QString text;           ///< Markdown
    bool isPartial = false; ///< cut by a stop
    QString thinking = {};  ///< of a model, before it wrote this; as far as it shows it
    QString author = {};    ///< the name of who says it; empty: the run's agent

    bool operator==(const AgentMessage &) const = default;
};
[[nodiscard]] QString messageRoleName(AgentMessage::Role role); ///< "agent", "person", "system"

struct PlanItem {
    QString text;
    QString state; ///< "waiting", "working", "done", "dropped"

    bool operator==(const PlanItem &) const = default;
};

struct ToolCall {
    QString id;
    QString name;
    Json arguments;
    double seconds = 0; ///< of one that has ended
    QString outcome;    ///< "ok", "failed", "denied", "cancelled"; empty: it runs
    QString result;     ///< for people and the record; may be cut

    bool operator==(const ToolCall &) const = default;
};

/// Of one call of a model, as the endpoint bills it; several add up.
struct AgentUsage {
    qint64 tokensIn = 0; ///< all of the prompt, cached ones included
    qint64 tokensOut = 0;
    qint64 tokensCached = 0; ///< of tokensIn
    double cost = 0;         ///< in `currency`
    QString currency;
    bool isEstimated = false;            ///< the endpoint did not say
    std::optional<qint64> contextTokens; ///< in its window now
    std::optional<qint64> contextLimit;

    [[nodiscard]] qint64 tokens() const { return tokensIn + tokensOut; }
    bool operator==(const AgentUsage &) const = default;
};

/// A question to the person. `epoch` says of which stretch of the run it is: an answer to one that a stop
/// took away does nothing.
struct AgentPrompt {
    enum class About { Permission, NoSandbox, SignIn, Course }; // Course: how it goes on; nothing is allowed

    QString id;
    int epoch = 0; ///< given by the session
    QString question;
    QStringList options;
    About about = About::Permission;
    QString allowing = {};  ///< of the options: what allows it this once; empty: none does
    QString rejecting = {}; ///< what refuses it; empty: none says so

    bool operator==(const AgentPrompt &) const = default;
};

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::AgentUsage)
