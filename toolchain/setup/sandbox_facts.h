// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/setup/sandbox_trial.h"

#include <QString>

#include <vector>

namespace warpwright {

/// What this kernel offers to shut a candidate in.
struct SandboxFacts {
    int landlockAbi = 0; ///< 0: none; its meaning: 1 files, 4 also TCP, 6 also signals and abstract sockets
    bool hasSeccompFilter = false;
    bool mayMakeUserNamespace = false; ///< tried, in a child process
    QString whyNoUserNamespace;
    std::vector<SandboxTrial> trials; ///< what came of trying to break out; empty: not tried

    bool operator==(const SandboxFacts &) const = default;
};

/// Asks the kernel; takes about a millisecond. Tries no sandbox.
[[nodiscard]] SandboxFacts findSandboxFacts();

} // namespace warpwright
