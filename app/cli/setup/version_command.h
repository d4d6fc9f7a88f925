// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// The versions of all parts.
[[nodiscard]] Command versionCommand();

} // namespace warpwright
