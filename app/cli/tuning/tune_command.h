// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// One run of an agent, under a person's control.
[[nodiscard]] Command tuneCommand();

} // namespace warpwright
