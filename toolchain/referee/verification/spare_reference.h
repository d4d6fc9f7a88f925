// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"
#include "referee/verification/stress_inputs.h"
#include "referee/verification/verification_round.h"

#include <functional>
#include <memory>
#include <vector>

namespace warpwright {

/// Stress inputs, and their factor: of whole numbers; of constants, see verification_stress.cpp.
struct StressKind {
    Stress stress;
    int64_t factor = 1;
};

/// The reference in one more process, which takes stress inputs first: on a GPU an index out of bounds, or a
/// number out of an operator's range, ends all that its process has there; on a CPU it raises.
class SpareReference {
public:
    explicit SpareReference(TaskSession &session) : m_session(session) {}
    ~SpareReference();

    /// On CUDA, and where the environment says WARPWRIGHT_SPARE_PROCESS (a test on a CPU).
    [[nodiscard]] bool isNeeded() const;
    /// Whether the reference lives after the round's inputs; asked once a task and kind: what it takes is
    /// drawn from the same seed for each candidate. Without memory for the process the answer is yes.
    bool takes(const VerificationRound &round, StressKind kind);
    /// What the task's session knows of them.
    [[nodiscard]] KnownStressInputs &known(StressKind kind);
    /// The largest factor of whole numbers that `isTaken`; none: empty. The smallest is tried first: who does
    /// not take it takes no larger one, and each that is not taken may cost a process. All, without a spare.
    [[nodiscard]] std::vector<int64_t> stretchesToTry(const std::function<bool(StressKind)> &isTaken);
    void end();

private:
    TaskSession &m_session;
    std::unique_ptr<WorkerProcess> m_worker;
};

} // namespace warpwright
