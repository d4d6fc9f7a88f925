// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Our tools for agents of other programs; and what these need to start them.
[[nodiscard]] Command mcpCommand();

} // namespace warpwright
