// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/sandbox/sandbox_spec.h"

#include <sys/types.h>

namespace warpwright {

/// Shuts this process in, as its last act before the code that is not trusted: user, rights, limits, files,
/// system calls. Every descriptor but `kept` (sorted, with 0 to 2) is closed. It dies with its parent. Cannot
/// be undone. Returns the problem, or nothing; after a problem the process must end.
std::string enclose(const SandboxSpec &spec, const std::vector<int> &kept);

/// The first process of a namespace, beside `child`: reaps what is left behind, and ends when `child` does;
/// then the kernel kills every other process in there. Writes two integers, exit code (or -1) and signal (or
/// 0), to `report`. Never returns.
[[noreturn]] void watchOver(pid_t child, int report, uint32_t user);

/// This process dies with its parent, if that is still alive.
void dieWithParent();

} // namespace warpwright
