// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/history/iteration_store.h"

namespace warpwright {

/// Tells of an iteration that it was measured so. What found no room on the disk was told when it came: of
/// that nothing is linked, and nothing is told again. `state`: the workspace's.
[[nodiscard]] Result<void> linkStored(const IterationStore &iterations, const QString &state, int iteration,
                                      const QString &evaluation);

} // namespace warpwright
