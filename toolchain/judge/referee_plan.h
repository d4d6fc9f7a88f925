// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// One source of the judge to one object.
struct RefereeObject {
    QString source; ///< relative to the judge's sources
    QString object; ///< file name in the build folder
    QStringList arguments;

    bool operator==(const RefereeObject &) const = default;
};

/// One program or shared library of the judge.
struct RefereeProgram {
    QString output;
    QStringList linkArguments; ///< all of them, objects included; run in the build folder

    bool operator==(const RefereeProgram &) const = default;
};

/// How the judge is built against one interpreter's torch. The key names the build: same key, same
/// programs.
struct RefereePlan {
    QString sources;
    QString compiler;
    QString key;
    QStringList outputs;
    std::vector<RefereeObject> objects;
    std::vector<RefereeProgram> programs;
    /// Of the copies of torch's library that cannot compute (referee/amputate): they depend on less than the
    /// programs, so that many builds share them. Empty where torch has no such library.
    QString amputationKey;
    QStringList amputationArguments;

    bool operator==(const RefereePlan &) const = default;
};

/// Reads <sources>/build.json: {"includes": [folders], "programs": [{"output", "kind": "executable" |
/// "shared", "sources", "libraries", "cudaLibraries", "systemLibraries"}]}. Where torch was built with CUDA
/// and CUDA's headers are found, everything is compiled with -DWARPWRIGHT_CUDA=1 and linked with the
/// cudaLibraries; else with 0 and without. The key hashes every file of the sources, the compiler, Python and
/// torch with its folder (it stands in the rpath).
[[nodiscard]] Result<RefereePlan> makeRefereePlan(const QString &sources, const PythonEnvironment &python,
                                                  const HostCompiler &compiler, const CudaToolkit *cuda);

} // namespace warpwright
