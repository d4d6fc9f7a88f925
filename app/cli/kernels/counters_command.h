// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// What the hardware counted in one call of the candidate, or a report of it.
[[nodiscard]] Command countersCommand();

} // namespace warpwright
