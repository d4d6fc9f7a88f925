// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/prompt_leave.h"

namespace warpwright {
namespace {

QString adviceFor(AgentPrompt::About about) {
    switch (about) {
    case AgentPrompt::About::Permission:
        return QStringLiteral("--allow permissions allows what it asks for.");
    case AgentPrompt::About::NoSandbox:
        return QStringLiteral("--allow no-sandbox allows that.");
    case AgentPrompt::About::SignIn:
        break;
    }
    return QStringLiteral("Sign in with its own program first.");
}

} // namespace

QString PromptLeave::answerTo(const AgentPrompt &prompt) const {
    const bool isAllowed = (prompt.about == AgentPrompt::About::Permission && allowsPermissions) ||
                           (prompt.about == AgentPrompt::About::NoSandbox && allowsNoSandbox);
    return isAllowed ? prompt.allowing : QString();
}

QString nobodyAnswersWords(const AgentPrompt &prompt) {
    return QStringLiteral("%1\nNobody is there to answer, and the run ends. %2")
        .arg(prompt.question, adviceFor(prompt.about));
}

} // namespace warpwright
