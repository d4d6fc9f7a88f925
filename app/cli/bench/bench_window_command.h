// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// `bench window`: how fast the window starts and what its events cost.
[[nodiscard]] Command benchWindowCommand();

} // namespace warpwright
