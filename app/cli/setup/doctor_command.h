// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// What was found on this machine, and what mends the rest.
[[nodiscard]] Command doctorCommand();

} // namespace warpwright
