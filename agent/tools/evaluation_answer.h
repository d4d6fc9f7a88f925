// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/toolbox.h"

namespace warpwright {

/// What an evaluation says, in the words that a person reads of it, as the answer of a tool. `tool`: compile,
/// verify, profile, sanitize or sweep. `log`: what the compilers said; shown where they said nothing that we
/// could read. `folder`: of the workspace; paths in it are told without it.
[[nodiscard]] ToolAnswer evaluationAnswer(const QString &tool, const Evaluation &evaluation,
                                          const QString &log, const QString &folder);

} // namespace warpwright
