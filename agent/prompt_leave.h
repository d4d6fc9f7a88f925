// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent_events.h"

namespace warpwright {

/// What a person has allowed before a run begins, of what its agent may ask: for runs that nobody watches.
struct PromptLeave {
    bool allowsPermissions = false; ///< what the agent asks leave for, each time
    bool allowsNoSandbox = false;   ///< that it runs where no sandbox can be built around it

    /// The option that says so; empty: the person has to be asked.
    [[nodiscard]] QString answerTo(const AgentPrompt &prompt) const;

    bool operator==(const PromptLeave &) const = default;
};

/// Nobody is there who could answer: the question, and what to do for another time.
[[nodiscard]] QString nobodyAnswersWords(const AgentPrompt &prompt);

} // namespace warpwright
