// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/failure_map/wrong_element.h"

namespace warpwright {

/// A Python program of its own that calls reference and candidate on the round's inputs and looks at one
/// wrong element: torch and the compiled text are all that it needs. Inputs come from the round's seed, which
/// the check tells; weights come from the same seed, for the judge's own are secret, so that numbers may
/// differ where a task has some. It says whether the inputs are the check's, and ends with 1 where the
/// element is wrong again, 0 where it is right.
///
/// `workspace`: its folder, which holds the text of the evaluation; `state`: where its builds lie. An error:
/// the evaluation does not say from which seed the round was, or which of its results it is.
[[nodiscard]] Result<QString> wrongElementScript(const Evaluation &evaluation, const WrongElement &element,
                                                 const QString &workspace, const QString &state, bool trains);

} // namespace warpwright
