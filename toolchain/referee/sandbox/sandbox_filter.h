// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/sandbox/sandbox_spec.h"

#include <linux/filter.h>

namespace warpwright {

/// The system calls that a sandboxed process is refused, as a program for the kernel. `self`: its process
/// number, the only one that it may signal or limit; 0: any (it sees nobody else).
std::vector<sock_filter> filterProgram(SandboxProfile profile, uint32_t self);

/// Hangs the filter over this process and what it starts. Needs PR_SET_NO_NEW_PRIVS. Returns the problem, or
/// nothing.
std::string closeSystemCalls(SandboxProfile profile, uint32_t self);

} // namespace warpwright
