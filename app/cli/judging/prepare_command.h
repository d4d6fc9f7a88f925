// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Makes what the first compile in an environment would wait for. Works behind everybody else.
[[nodiscard]] Command prepareCommand();

} // namespace warpwright
