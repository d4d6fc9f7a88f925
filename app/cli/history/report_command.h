// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// One page for a browser of a text and what was tried around it.
[[nodiscard]] Command reportCommand();

} // namespace warpwright
