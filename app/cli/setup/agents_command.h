// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// The external agents that are set up or known: list, add, try, remove.
[[nodiscard]] Command agentsCommand();

} // namespace warpwright
