// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "toolchain/check/evaluation_run.h"

namespace warpwright {

/// What the command line, the settings and the environment ask of an evaluation of `line.path`.
[[nodiscard]] EvaluationRequest evaluationRequestFor(const CommandContext &context);

} // namespace warpwright
