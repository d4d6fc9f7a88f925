// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/process/worker_process.h"
#include "referee/task/reference_check.h"
#include "referee/task/task_session.h"
#include "referee/verification/verification_round.h"

namespace warpwright {

/// What ReferenceCheck says of the numbers that a round gave.

/// Whether the reference's results have NaN or infinities that it does not make of its own parameters: such
/// parameters prove nothing.
bool makesNewSpecials(const ReferenceCheck &check, const VerificationRound &round,
                      const WorkerProcess &reference);

/// Whether each NaN of `wanted` is one in `got`, and each infinity the same. Real floats, of equal sizes.
bool keepsSpecials(const at::Tensor &wanted, const at::Tensor &got);

/// Whether each NaN and each infinity of the reference's results is one of the candidate's.
bool haveSameSpecials(const VerificationRound &round, const WorkerProcess &candidate,
                      const WorkerProcess &reference);

/// Whether a round's results are those that the reference gives in the other mode, train or eval, for the
/// same inputs (`clone`: it gets a copy of them). That may leave another state in `reference`: give it the
/// parameters again. Throws WorkerFault.
bool isOfOtherMode(const VerificationRound &round, const WorkerProcess &candidate, WorkerProcess &reference,
                   bool clone);

/// Whether the reference runs with the parameters that it has now: some it may refuse. Throws WorkerFault for
/// all but an error of its own.
bool doesReferenceRun(TaskSession &session, const Json &inputs);

/// Whether the round's results have the facts' shapes.
bool haveUsualShapes(const VerificationRound &round, const Json &facts);

/// Tells the check where the round's results have other shapes than the facts'.
void noteShapes(ReferenceCheck &check, const VerificationRound &round, const Json &facts);

} // namespace warpwright
