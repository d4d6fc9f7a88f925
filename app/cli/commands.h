// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// All verbs of `wright`, in the order of its help, with options that nobody has filled in yet.
[[nodiscard]] std::vector<Command> commands();

} // namespace warpwright
