// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Two iterations beside each other.
[[nodiscard]] Command compareCommand();

} // namespace warpwright
