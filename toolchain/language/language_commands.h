// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/language/language_server.h"
#include "toolchain/workspace/workspace.h"

#include <optional>

namespace warpwright {

/// clangd over the sources of a workspace as they are really compiled. Writes `compile_commands.json` (and
/// what goes with it) into a folder of the workspace's state, never among the user's files; starts nothing.
/// Reads files: belongs in the pool. Errors: no clangd, with the command that brings it; the plan's own.
[[nodiscard]] Result<LanguageServerCommand> clangdCommand(const Workspace &workspace,
                                                          const Toolchain &toolchain);

/// The server of Python for model.py and model_new.py, where the user's environment or PATH has one
/// (basedpyright, pyright, pylsp, ruff); none: there is none.
[[nodiscard]] std::optional<LanguageServerCommand> pythonServerCommand(const Workspace &workspace,
                                                                       const Toolchain &toolchain);

/// "cuda-cpp" (.cu, .cuh), "cpp" (.cpp, .h ...), "python"; empty: no server speaks it.
[[nodiscard]] QString languageIdOf(const QString &file);

} // namespace warpwright
