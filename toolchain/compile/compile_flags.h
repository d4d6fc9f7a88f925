// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/compile_target.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// The options of each tool, without source, object and user flags.

/// nvcc for one .cu file.
[[nodiscard]] QStringList nvccArguments(const Workspace &workspace, const Toolchain &toolchain,
                                        const QString &architecture);

/// g++ for one .cpp file.
[[nodiscard]] QStringList cxxArguments(const Workspace &workspace, const Toolchain &toolchain,
                                       TargetKind kind);

/// Torch's libraries that an extension is linked with, by their short names.
[[nodiscard]] QStringList torchLibraries(TargetKind kind);

/// Whether one empty library takes their place in the link (StandInLibrary): where GNU ld links.
[[nodiscard]] bool linksWithStandIn(const Toolchain &toolchain);

/// g++ for the extension: libraries and where they are found at run time; the objects go before.
[[nodiscard]] QStringList linkArguments(const Toolchain &toolchain, TargetKind kind);

/// Include folders for CUDA's own headers: the toolkit's, then the wheels' (torch's headers ask for
/// cusparse.h and others that a small toolkit lacks).
[[nodiscard]] QStringList cudaIncludeFolders(const Toolchain &toolchain);

/// lib`name`.so or, where only that is there (the wheels have no other), lib`name`.so.N, as an absolute path;
/// empty: none.
[[nodiscard]] QString findLibrary(const QStringList &folders, const QString &name);

} // namespace warpwright
