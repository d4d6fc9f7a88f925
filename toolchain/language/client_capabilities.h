// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

namespace warpwright {

/// What we can do, as the Language Server Protocol's initialize tells it.
[[nodiscard]] Json clientCapabilities();

} // namespace warpwright
