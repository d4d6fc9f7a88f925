// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/stage_answer.h"
#include "referee/task_session.h"
#include "referee/verification_round.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace warpwright {

/// How much the oracle's results move when inputs do, and when parameters do: what does not move cannot be
/// verified.
class Dependence {
public:
    explicit Dependence(TaskSession &session) : m_session(session) {}

    /// Results that later ones are compared with.
    void remember(const VerificationRound &round, const WorkerProcess &owner);
    /// After a change of the inputs alone, or of the parameters alone.
    void inputsMoved(const VerificationRound &round, const WorkerProcess &owner) {
        compare(round, owner, false);
    }
    void weightsMoved(const VerificationRound &round, const WorkerProcess &owner) {
        compare(round, owner, true);
    }

    /// Whether results were compared after a change of the inputs, and of the parameters where there are any
    /// that can be changed.
    [[nodiscard]] bool isComplete() const;
    /// Settles "unverifiable" where no result moved enough.
    void judge(StageAnswer &stage) const;

private:
    struct Output {
        std::string path;
        at::Tensor values;
        double byInputs = -1.0; ///< relative; negative: not compared
        double byWeights = -1.0;
        double referenceError = 0.0;
    };

    void compare(const VerificationRound &round, const WorkerProcess &owner, bool areWeights);

    TaskSession &m_session;
    std::vector<Output> m_outputs;
};

} // namespace warpwright
