// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"
#include "referee/comparison/movement.h"
#include "referee/task/task_session.h"
#include "referee/verification/verification_round.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

namespace warpwright {

/// How much the oracle's results move when inputs do, and when parameters do: what does not move cannot be
/// verified.
class Dependence {
public:
    /// The RMS error that output `index` of a round may have at most, and the reference's own.
    using Allowed = std::function<AllowedError(VerificationRound &round, size_t index)>;

    Dependence(TaskSession &session, Allowed allowed) : m_session(session), m_allowed(std::move(allowed)) {}

    /// Results that later ones are compared with.
    void remember(const VerificationRound &round, const WorkerProcess &owner);
    /// After a change of the inputs alone, or of the parameters alone.
    void inputsMoved(VerificationRound &round, const WorkerProcess &owner) { compare(round, owner, false); }
    void weightsMoved(VerificationRound &round, const WorkerProcess &owner) { compare(round, owner, true); }

    /// Whether results were compared after a change of the inputs, and of the parameters where there are any
    /// that can be changed.
    [[nodiscard]] bool isComplete() const;
    /// Whether parameters that carry the signal may show more.
    [[nodiscard]] bool isFaint() const;
    /// Of the output that shows least, times what the comparison allows.
    [[nodiscard]] double margin() const;
    void add(const Dependence &other);

    /// Why every constant of the right value is right; empty: that is not so.
    [[nodiscard]] std::string degeneracy() const;
    /// Settles "unverifiable" where no result moved enough; doubts what is left.
    void judge(StageAnswer &stage) const;

private:
    struct Output {
        std::string path;
        at::Tensor values;
        AllowedError error; ///< of the round that they are from
        Movement byInputs;
        Movement byWeights;
    };

    void compare(VerificationRound &round, const WorkerProcess &owner, bool areWeights);
    static AllowedError judgedError(const VerificationRound &round, const std::string &path);
    bool isAny(Movement Output::*by, bool (Movement::*is)() const) const;
    bool isSame(Movement Output::*by) const; ///< all of them
    std::string evidence(Movement Output::*by) const;

    TaskSession &m_session;
    Allowed m_allowed;
    std::vector<Output> m_outputs;
};

} // namespace warpwright
