// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// When what of one call of each arm runs.
[[nodiscard]] Command timelineCommand();

} // namespace warpwright
