// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// The texts that lie in a workspace, relative to its folder and sorted; the reference and the candidate's
/// are among them. Hidden and made files, links and what is larger than a megabyte are left out. At most
/// 2,000, four folders deep; of a lone file only itself. Reads the disk: work for the pool.
[[nodiscard]] QStringList workspaceFiles(const Workspace &workspace);

} // namespace warpwright
