// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// The text of an earlier iteration as a workspace of its own below `cache`, so that compilers can read it
/// while the text being edited stays as it is. The same text always lies in the same folder: what was
/// compiled of it is found again. The oldest are removed.
[[nodiscard]] Result<Workspace> layOutIteration(const Workspace &workspace, int number,
                                                const DataFolders &folders);

} // namespace warpwright
