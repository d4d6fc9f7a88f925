// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// What keeps the kernels from being faster, by all that is known of the text.
[[nodiscard]] Command findingsCommand();

} // namespace warpwright
