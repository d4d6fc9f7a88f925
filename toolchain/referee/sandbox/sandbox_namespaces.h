// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/sandbox/sandbox_spec.h"

namespace warpwright {

/// Leaves the namespaces of the system; the next fork's child is the first process of its own. Needs a
/// process of one thread. As root without a user namespace, else with one. Returns the problem, or nothing.
std::string leaveNamespaces();

/// Puts files in the place of others, {stands, in the place of}, read-only: this process and what it starts
/// see them there, nobody else does. Returns the problem, or nothing.
std::string coverFiles(const std::vector<std::pair<std::string, std::string>> &covers);

/// In that first process: a root of its own that holds only what `spec` names, a /proc of its own processes,
/// and a private /tmp. Returns the problem, or nothing.
std::string buildRoot(const SandboxSpec &spec);

/// Becomes `user` where that is possible, and gives up all rights. Clears PR_SET_PDEATHSIG. Returns the
/// problem, or nothing.
std::string dropRights(uint32_t user);

} // namespace warpwright
