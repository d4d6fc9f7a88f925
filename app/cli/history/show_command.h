// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// One iteration: its changes, decisions and measurements.
[[nodiscard]] Command showCommand();

} // namespace warpwright
