// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Which lines of the kernels the time goes to.
[[nodiscard]] Command heatCommand();

} // namespace warpwright
