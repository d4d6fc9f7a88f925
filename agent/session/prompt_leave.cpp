// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/prompt_leave.h"

namespace warpwright {
namespace {

QString adviceFor(AgentPrompt::About about) {
    switch (about) {
    case AgentPrompt::About::Permission:
        return QStringLiteral("--allow permissions allows what it asks for.");
    case AgentPrompt::About::NoSandbox:
        return QStringLiteral("--allow no-sandbox allows that.");
    case AgentPrompt::About::Course:
        return QStringLiteral("--mode auto decides it by what is expected.");
    case AgentPrompt::About::SignIn:
        break;
    }
    return QStringLiteral("Sign in with its own program first.");
}

} // namespace

std::optional<QString> PromptLeave::answerTo(const AgentPrompt &prompt) const {
    const bool isAllowed = (prompt.about == AgentPrompt::About::Permission && allowsPermissions) ||
                           (prompt.about == AgentPrompt::About::NoSandbox && allowsNoSandbox);
    if (!isAllowed)
        return std::nullopt;
    return prompt.allowing.isEmpty() ? prompt.rejecting : prompt.allowing;
}

QString nobodyIsThereWords(const AgentPrompt *prompt) {
    const QString words = QStringLiteral("Nobody is there to answer, and the run ends.");
    return prompt == nullptr ? words : words + QLatin1Char(' ') + adviceFor(prompt->about);
}

QString nobodyAnswersWords(const AgentPrompt &prompt) {
    return prompt.question + QLatin1Char('\n') + nobodyIsThereWords(&prompt);
}

QString notAllowedWords(const AgentPrompt &prompt, const QString &answer) {
    return QStringLiteral(
               "%1\nIt was allowed beforehand, but none of the answers that it offers allows it. %2")
        .arg(prompt.question, answer.isEmpty() ? QStringLiteral("It was not answered.")
                                               : QStringLiteral("\"%1\" was answered.").arg(answer));
}

} // namespace warpwright
