// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"
#include "agent/acp/acp_values.h"
#include "agent/interface/agent.h"

#include <QString>
#include <QStringList>

/// What we say to an external agent, and of it to people: plain English, in one place.
namespace warpwright {

/// What the workspace and this installation say to agents.
struct AcpGuides {
    QString skill; ///< how kernels are made, whole; empty: nobody says
    bool isOwnSkill = false;
    QStringList rules; ///< files of the project's rules that lie in the copy: AGENTS.md and its like

    bool operator==(const AcpGuides &) const = default;
};

/// The first prompt of a session. `folder`: its work folder. `hasTools`: ours are there, by MCP.
[[nodiscard]] QString acpTaskWords(const AgentRequest &request, const QString &folder, bool hasTools,
                                   const AcpGuides &guides);
/// The prompt after a proposal, or where a session goes on.
[[nodiscard]] QString acpGoOnWords(const AgentRequest &request, const std::vector<Feedback> &feedback);
/// Its turn ended, and nothing has changed. `putBack`: but what was put back, a line each.
[[nodiscard]] QString acpNudgeWords(const QStringList &putBack);
/// What it has made is no candidate.
[[nodiscard]] QString acpRefusedWorkPrompt(const QString &why);
/// Its turn was cut off at a limit of its own.
[[nodiscard]] QString acpCutOffWords(const AcpTurnEnd &end);

/// Behind a prompt: `lines` of its folder are its own from before, and not proposed yet.
[[nodiscard]] QString acpUnfinishedWords(const QString &lines);

/// A proposal's title, from what it said last: the first line, without marks.
[[nodiscard]] QString acpTitle(const QString &lastMessage, const QStringList &changedFiles);

/// For people: that it was told so.
[[nodiscard]] QString acpRefusedWorkWords(const QString &agent, const QString &why);
/// For people: its turn was cut off at a limit of its own.
[[nodiscard]] QString acpLimitWords(const QString &agent, const AcpTurnEnd &end);
/// For people: why its turn gave nothing.
[[nodiscard]] QString acpStopWords(const QString &agent, const AcpTurnEnd &end, const QString &lastMessage);
/// What the data of an error says, in one line: its words, or where and what it did not like; empty: nothing.
[[nodiscard]] QString acpErrorDataWords(const Json &data);
/// For people: why its turn broke off, and that what it had changed is proposed.
[[nodiscard]] QString acpBrokenWords(const QString &why, const QString &lines);
/// For people: what it may have changed cannot be read.
[[nodiscard]] QString acpWorkLostWords(const QString &agent, const QString &why);
/// A command is shown whole.
[[nodiscard]] QString acpPermissionQuestion(const QString &agent, const AcpToolState &tool);
[[nodiscard]] QString acpNoSandboxQuestion(const QString &agent, const QString &why);
[[nodiscard]] QString acpRunsWithoutSandboxWords(const QString &agent, const QString &why);
/// What signs a person in that way, as a shell reads it; empty: the way has no command.
[[nodiscard]] QString acpLoginCommand(const AcpProfile &agent, const AcpAuthMethod &method);
[[nodiscard]] QString acpSignInQuestion(const AcpProfile &agent, const std::vector<AcpAuthMethod> &methods);
/// It asks once more, right after that way was taken.
[[nodiscard]] QString acpNotSignedInWords(const AcpProfile &agent, const QString &way,
                                          const std::vector<AcpAuthMethod> &methods);
/// `lines`: as WorkFolder::putBack() gives them.
[[nodiscard]] QString acpPutBackWords(const QString &agent, const QStringList &lines);

} // namespace warpwright
