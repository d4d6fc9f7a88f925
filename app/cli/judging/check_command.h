// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Compiles, verifies and profiles a workspace.
[[nodiscard]] Command checkCommand();

} // namespace warpwright
