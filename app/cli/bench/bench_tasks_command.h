// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// `bench tasks`: what an agent makes of all references of resources/tasks.
[[nodiscard]] Command benchTasksCommand();

} // namespace warpwright
