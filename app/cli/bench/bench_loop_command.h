// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// `bench loop`: how long it takes from an edit to a verdict.
[[nodiscard]] Command benchLoopCommand();

} // namespace warpwright
