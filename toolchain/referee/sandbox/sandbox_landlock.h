// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/sandbox/sandbox_spec.h"

namespace warpwright {

/// What this kernel's Landlock can do: 0 nothing, 1 files, 4 also TCP, 6 also signals and abstract sockets.
int landlockVersion();

/// From here on this process, and what it starts, reaches only the files that `spec` names, no TCP, and no
/// process outside. Cannot be undone. Needs PR_SET_NO_NEW_PRIVS. Returns the problem, or nothing.
std::string closeFiles(const SandboxSpec &spec);

} // namespace warpwright
