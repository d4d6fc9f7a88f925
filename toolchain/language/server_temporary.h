// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// A language server's own temporary folder in `base`, for one process: clangd keeps preambles of many
/// megabytes there, and one that is killed leaves them. Those that ended programs have left in `base` are
/// removed in the pool.
[[nodiscard]] QString newServerTemporary(const QString &base);

/// In the pool; empty: nothing.
void removeServerTemporary(const QString &folder);

} // namespace warpwright
