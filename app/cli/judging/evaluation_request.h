// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/options/shared_options.h"
#include "toolchain/check/evaluation_run.h"

namespace warpwright {

/// What the command line, the settings and the environment ask of an evaluation of `path`: of all stages, by
/// the settings' tier.
[[nodiscard]] EvaluationRequest evaluationRequestFor(const CommandContext &context, const QString &path,
                                                     const MachineOptions &machine);

} // namespace warpwright
