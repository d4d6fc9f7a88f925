// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Measures the artefact of a stored evaluation again.
[[nodiscard]] Command reproduceCommand();

} // namespace warpwright
