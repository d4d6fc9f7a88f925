// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/device/device_facts.h"
#include "referee/sandbox/sandbox_spec.h"

namespace warpwright {

/// What the candidate's worker must reach to work at all, and who it may become.
struct SandboxNeeds {
    std::vector<std::string> interpreter; ///< paths of the fork server's greeting
    std::string shim;
    std::string runFolder;
    std::string scratch; ///< a folder of the worker's own, for a sandbox without a private /tmp
    std::string secret;  ///< the reference: no readable path may hold it
    MemoryKind memory = MemoryKind::Cpu;
    std::vector<std::string> hidden = {}; ///< files that must not be read though they lie in readable folders
};

/// The sandbox of this kind around such a worker.
SandboxSpec planSandbox(SandboxKind kind, const SandboxNeeds &needs);

/// The same as readSandboxSpec reads it, one word a line.
std::string sandboxWords(const SandboxSpec &spec);

/// `paths` without those that hold, or are, `secret` or the home folder, and without what lies in another of
/// them.
std::vector<std::string> safePaths(std::vector<std::string> paths, const std::vector<std::string> &secrets);

/// `paths` without `hidden`: a folder that holds it is named by what else lies in it.
std::vector<std::string> pathsWithout(std::vector<std::string> paths, const std::string &hidden);

} // namespace warpwright
