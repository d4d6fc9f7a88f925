// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>

namespace warpwright {

/// Copies the text of a workspace to `to`, which must not be there yet: whole or not at all, writable for its
/// owner, without our own state and without what Python left behind.
[[nodiscard]] Result<void> copyWorkspace(const QString &from, const QString &to);

} // namespace warpwright
