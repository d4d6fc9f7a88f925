// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"

#include <vector>

namespace warpwright {

/// An external agent that many have installed, and that needs no setting up here. We install none.
struct KnownAgent {
    QString name;  ///< "claude-code", as in "acp:claude-code"
    QString title; ///< "Claude Code"
    QString command;
    QStringList arguments;
    QString install; ///< what a person types to have it

    [[nodiscard]] AcpProfile profile() const { return {name, command, arguments, {}, Json::object()}; }
    bool operator==(const KnownAgent &) const = default;
};

/// By name.
[[nodiscard]] const std::vector<KnownAgent> &knownAgents();
[[nodiscard]] const KnownAgent *knownAgent(const QString &name); ///< nullptr: there is none
/// How this command is installed; empty: it is of no known agent.
[[nodiscard]] QString installCommandOf(const QString &command);

/// Where its program lies, with the PATH of `profile` or ours; empty: it is not there.
[[nodiscard]] QString programOf(const AcpProfile &profile);

} // namespace warpwright
