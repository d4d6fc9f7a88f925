// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// The tree of iterations, and the runs.
[[nodiscard]] Command logCommand();

} // namespace warpwright
