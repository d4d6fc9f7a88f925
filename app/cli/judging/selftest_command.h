// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Runs the suite of attacks against the judge of this machine.
[[nodiscard]] Command selftestCommand();

} // namespace warpwright
