// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Tells a recorded run and checks its texts.
[[nodiscard]] Command replayCommand();

} // namespace warpwright
