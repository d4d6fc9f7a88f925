// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"

namespace warpwright {

/// What a person has allowed before a run begins, of what its agent may ask: for runs that nobody watches.
struct PromptLeave {
    bool allowsPermissions = false; ///< what the agent asks leave for, each time
    bool allowsNoSandbox = false;   ///< that it runs where no sandbox can be built around it

    /// The option that says so. Where none does, the one that refuses it, or an empty one: it is taken away.
    /// Nothing: the person has to be asked.
    [[nodiscard]] std::optional<QString> answerTo(const AgentPrompt &prompt) const;

    bool operator==(const PromptLeave &) const = default;
};

/// Nobody is there who could answer, and what to do for another time; `prompt`: the agent's question, where
/// it is one.
[[nodiscard]] QString nobodyIsThereWords(const AgentPrompt *prompt);
/// The same below the question.
[[nodiscard]] QString nobodyAnswersWords(const AgentPrompt &prompt);
/// It was allowed beforehand, and none of its options allows it: `answer` was given.
[[nodiscard]] QString notAllowedWords(const AgentPrompt &prompt, const QString &answer);

} // namespace warpwright
