// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"
#include "toolchain/base/stages.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/judge/judge_session.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// What an evaluation knows when it wants a judge. References: it lives only for the call.
struct JudgeNeeds {
    const Workspace &workspace;
    const Toolchain &toolchain; ///< with a Python
    const DeviceChoice &device;
    const DataFolders &folders;
    Tier tier = Tier::Quick;
    QString replacement; ///< a judge program of the person's own; empty: ours is built
    QString scratch;     ///< a folder for this evaluation alone; it is made
};

/// Which judge to start, how it is built, and what it is told to open; makes the folders that it writes to.
/// The error says what is missing for building it, or which folder cannot be made.
[[nodiscard]] Result<JudgeSession::Setup> makeJudgeSetup(const JudgeNeeds &needs);

} // namespace warpwright
