// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// The language models that are set up: list, try, add, remove, their keys.
[[nodiscard]] Command modelsCommand();

} // namespace warpwright
