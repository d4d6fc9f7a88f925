// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/chat.h"

#include <optional>
#include <vector>

namespace warpwright {

/// What a model and we have said in a run, as the model is shown it: within its window, each call with
/// exactly one result, and told again from the entries that each change gives.
///
/// The first two messages (the rules; the task with its reference) are never cut. Of what comes behind them
/// results of tools go first, the oldest first; then all but the last turns gives way to a summary.
class Conversation {
public:
    /// What was left out, for people: «12 results of tools left out: 81,000 tokens, then 40,000».
    struct Cut {
        int results = 0;
        int messages = 0;
        qint64 tokensBefore = 0;
        qint64 tokensAfter = 0;

        [[nodiscard]] QString words() const;
        bool operator==(const Cut &) const = default;
    };

    [[nodiscard]] const std::vector<ChatMessage> &messages() const { return m_messages; }
    [[nodiscard]] bool isEmpty() const { return m_messages.empty(); }
    /// Calls of the last message that have no result yet.
    [[nodiscard]] std::vector<ChatCall> openCalls() const;
    /// Estimated, from what the endpoint counted last.
    [[nodiscard]] qint64 tokens() const;
    /// The endpoint counted so many for all messages but the last, which it wrote.
    void counted(qint64 tokens);

    // Each of these gives the entry to remember.
    [[nodiscard]] Json add(ChatMessage message);
    /// Leaves results out until so many tokens are left, or none but those of the last turns is there.
    [[nodiscard]] Json prune(qint64 untilTokens, Cut &cut);
    /// Whether there is enough before the last turns to be summed up.
    [[nodiscard]] bool canSumUp() const;
    /// Puts `summary` in the place of all between the task and the last turns.
    [[nodiscard]] Json sumUp(const QString &summary, Cut &cut);

    /// An entry of another program's conversation, in their order. An error, for people, where it is none.
    [[nodiscard]] Result<void> recall(const Json &entry);

private:
    [[nodiscard]] std::size_t lastTurns() const;
    void leaveOut(std::size_t message);
    void putSummary(const QString &summary, std::size_t until);

    std::vector<ChatMessage> m_messages;
    qint64 m_counted = 0;           ///< by the endpoint
    std::size_t m_countedUntil = 0; ///< for so many messages
};

/// A rough count: what endpoints count lies between 0.7 and 1.3 of it for code and English.
[[nodiscard]] qint64 estimatedTokens(const ChatMessage &message);

} // namespace warpwright
