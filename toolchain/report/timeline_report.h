// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/timeline/timeline.h"

namespace warpwright {

/// One call of each arm: lanes one above the other on one scale, a table of what runs, and what follows in
/// sentences.
[[nodiscard]] QString timelineText(const Timeline &timeline, const Terminal &terminal);

} // namespace warpwright
