// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"
#include "referee/task/task_session.h"
#include "referee/verification/verification_round.h"

#include <string>
#include <vector>

namespace warpwright {

/// Watches where the candidate's results lie: nothing written beside them, nothing shared with inputs,
/// parameters or each other, and nothing changed by a later call.
class ResultMemory {
public:
    /// Bytes on each side of a result's block; they hold the round's fill byte.
    static constexpr uint64_t guardBytes = 16384;

    ResultMemory(TaskSession &session, Json &answer);

    /// After a call: results of the call before, which are still alive, are what they were. Then looks at the
    /// new ones, and keeps a copy of them for the next time.
    void watch(const VerificationRound &round, const WorkerProcess &candidate);

    /// The results that were watched last are what they were, after another call.
    void watchEarlier(const WorkerProcess &candidate);
    /// They are let go before another call.
    void forget() {
        m_kept.clear();
        m_plain.clear();
    }

    /// Whether these results are, bit by bit, those that were watched last. False where there are none.
    /// `besideState`: those that are tensors of the model's own are left out.
    bool areLast(const std::vector<ValueLeaf> &results, const WorkerProcess &candidate,
                 bool besideState = false) const;

    /// What the call before gave under this name; undefined: there was none, or no copy is kept.
    at::Tensor before(const std::string &path) const;

private:
    struct Kept {
        Json node;
        std::string path;
        int round;
        at::Tensor copy; ///< undefined: there was no room for one
        Json print;
    };

    /// Bit by bit what was kept.
    bool isSame(const WorkerProcess &worker, const Json &node, const Kept &kept) const;
    Json printOf(const WorkerProcess &worker, const Json &node) const;

    void watchAliases(const VerificationRound &round);
    void watchGuards(const VerificationRound &round, const ValueLeaf &leaf, const WorkerProcess &candidate);
    at::Tensor tensorOf(const WorkerProcess &worker, const Json &node) const;

    TaskSession &m_session;
    StageAnswer m_stage;
    std::vector<Kept> m_kept;
    std::vector<Json> m_plain; ///< what is beside the tensors
    bool m_saidCopied = false;
};

} // namespace warpwright
