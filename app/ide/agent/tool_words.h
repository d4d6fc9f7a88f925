// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "app/ide/kit/agent_view.h"

namespace warpwright {

/// How a call of a tool reads in the conversation: its name, what it was called with in one short line, and
/// unfolded all of that and its result. Of any tool, also of one that we do not know. Very long words are
/// cut, and say so: the record has them.
[[nodiscard]] AgentEvent toolEvent(const ToolCall &call, bool hasEnded);
/// "block 12, 12 of 40"; `count` 0: not known how many.
[[nodiscard]] QString toolProgressWords(const QString &text, int index, int count);

} // namespace warpwright
