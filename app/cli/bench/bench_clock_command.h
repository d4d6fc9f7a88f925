// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// `bench clock`: what the judge's clock says of the reference against itself.
[[nodiscard]] Command benchClockCommand();

} // namespace warpwright
