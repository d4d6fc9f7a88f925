// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

namespace warpwright {

/// Gives a finished build its place name, in one step. If another process was faster with the same text, its
/// build stays and ours goes: both are the same. Then removes builds that have not been used for long.
[[nodiscard]] Result<void> publishBuild(const QString &made, const QString &place);

} // namespace warpwright
