// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/chat.h"
#include "agent/interface/feedback.h"
#include "agent/interface/proposal.h"
#include "toolchain/base/json.h"
#include "toolchain/base/result.h"
#include "toolchain/workspace/candidate_texts.h"

#include <optional>

namespace warpwright {

/// What a model has in hand beside what was said: the text of its copy, and the proposal that waits for an
/// answer. Told again from the entries that each change gives.
class ModelMemory {
public:
    /// A proposal that the conversation has no result for yet.
    struct Waiting {
        QString call; ///< of submit
        Proposal proposal;
        std::vector<ChatResult> results;  ///< of all calls of that answer; that of submit is still to come
        std::optional<Feedback> feedback; ///< of a run that goes on: it was answered before the program ended
    };

    /// What its copy holds; empty: nothing yet.
    [[nodiscard]] const std::optional<CandidateTexts> &texts() const { return m_texts; }
    /// The workspace's text that it began to change.
    [[nodiscard]] const CandidateTexts &base() const { return m_base; }
    [[nodiscard]] const std::optional<Waiting> &waiting() const { return m_waiting; }
    /// Answers of the model so far.
    [[nodiscard]] int turns() const { return m_turns; }

    // Each gives the entry to remember; null: nothing has changed.
    [[nodiscard]] Json setTexts(const CandidateTexts &texts, const CandidateTexts &base);
    [[nodiscard]] Json submitted(const QString &call, const Proposal &proposal,
                                 const std::vector<ChatResult> &results);
    [[nodiscard]] Json answered();
    [[nodiscard]] Json turned();

    [[nodiscard]] Result<void> recall(const Json &entry);
    void recallFeedback(const Feedback &feedback);

private:
    std::optional<CandidateTexts> m_texts;
    CandidateTexts m_base;
    std::optional<Waiting> m_waiting;
    int m_turns = 0;
};

} // namespace warpwright
