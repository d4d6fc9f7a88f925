// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Makes a workspace from a template or of a lesson.
[[nodiscard]] Command newCommand();

} // namespace warpwright
