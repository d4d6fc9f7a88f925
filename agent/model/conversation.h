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
/// results of tools go first, the oldest first; where that is not enough those of the last turns are
/// shortened, the newest last; then all but the last turns gives way to a summary.
class Conversation {
public:
    /// What was left out, for people: «12 results of tools left out: 81,000 tokens, then 40,000».
    struct Cut {
        int results = 0;
        int shortened = 0; ///< results, too
        int messages = 0;
        qint64 tokensBefore = 0;
        qint64 tokensAfter = 0;

        [[nodiscard]] bool isAny() const { return results + shortened + messages > 0; }
        [[nodiscard]] QString words() const;
        bool operator==(const Cut &) const = default;
    };

    [[nodiscard]] const std::vector<ChatMessage> &messages() const { return m_messages; }
    [[nodiscard]] bool isEmpty() const { return m_messages.empty(); }
    /// Calls of the last message that have no result yet.
    [[nodiscard]] std::vector<ChatCall> openCalls() const;
    /// Estimated, from what the endpoint counted last.
    [[nodiscard]] qint64 tokens() const;
    /// Of what is never cut: the rules and the task.
    [[nodiscard]] qint64 fixedTokens() const;
    /// The endpoint counted so many for all messages but the last, which it wrote.
    void counted(qint64 tokens);

    // Each of these gives the entry to remember.
    [[nodiscard]] Json add(ChatMessage message);
    /// Leaves results out until `untilTokens` are left, or none but those of the last turns is there; then,
    /// while it is over `mostTokens`, shortens the latter; what was said last only where nothing else helps.
    enum class Last { IsKept, IsShortened };
    [[nodiscard]] Json prune(qint64 untilTokens, qint64 mostTokens, Last last, Cut &cut);
    /// Whether there is enough before the last turns to be summed up. `turnTokens`: what those may take; the
    /// very last is kept in any case.
    [[nodiscard]] bool canSumUp(qint64 turnTokens) const;
    /// Puts `summary` in the place of all between the task and the last turns.
    [[nodiscard]] Json sumUp(const QString &summary, qint64 turnTokens, Cut &cut);

    /// An entry of another program's conversation, in their order. An error, for people, where it is none.
    [[nodiscard]] Result<void> recall(const Json &entry);

private:
    [[nodiscard]] std::size_t lastTurns(qint64 mostTokens) const;
    void leaveOut(std::size_t message);
    /// So that each of its results has at most so many characters; how many were shortened.
    int shorten(std::size_t message, qsizetype characters);
    void putSummary(const QString &summary, std::size_t until);

    std::vector<ChatMessage> m_messages;
    qint64 m_counted = 0;           ///< by the endpoint
    std::size_t m_countedUntil = 0; ///< for so many messages
};

/// A rough count: what endpoints count lies between 0.7 and 1.3 of it for code and English.
[[nodiscard]] qint64 estimatedTokens(const ChatMessage &message);
/// The same without what the endpoint wants back as it was, of which it may count little.
[[nodiscard]] qint64 writtenTokens(const ChatMessage &message);

} // namespace warpwright
