// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/comparison/persistent_error.h"
#include "referee/task/task_session.h"
#include "referee/verification/verification_round.h"

#include <string>
#include <vector>

namespace warpwright {

/// An output whose error has the size of a precision class's.
struct ClassClaim {
    size_t output = 0;
    std::string precision;
    double floor = 0.0; ///< an error that the reference in its own precision may have, too
    bool isBelieved = false;
};

/// The worker's requests for the reference in a class: with which options `run` gives a yardstick of it.
std::vector<Json> yardsticksOf(const std::string &precision, MemoryKind memory);

/// Whether errors of a class's size are rounding, or work that was left out: the round is run again a few
/// times with inputs and parameters that lie a few steps of the class beside what they were. Rounding errors
/// are other ones then.
///
/// Leaves inputs, parameters and results of the round as they are.
void believeClaims(TaskSession &session, const VerificationRound &round, std::vector<ClassClaim> &claims,
                   WorkerProcess &candidate, WorkerProcess &oracle);

} // namespace warpwright
