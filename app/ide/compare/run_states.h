// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/compare/compared_pair.h"
#include "toolchain/base/result.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// Both sides of a comparison in which iterations are those of a past run, from what that run recorded: its
/// texts and checks. Its workspace may have none of them. Reads files: not for a window's thread.
[[nodiscard]] Result<SharedPair> readRunPair(const Workspace &workspace, const QString &run,
                                             const ComparisonChoice &left, const ComparisonChoice &right);

} // namespace warpwright
