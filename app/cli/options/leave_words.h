// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/prompt_leave.h"

namespace CLI {
class App;
}

namespace warpwright {

/// Adds --allow, which fills in `leave`; that outlives the parsing.
void addLeave(CLI::App &command, PromptLeave &leave);

} // namespace warpwright
