// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// What the compiler knows of the kernels: resources, SASS, PTX.
[[nodiscard]] Command inspectCommand();

} // namespace warpwright
