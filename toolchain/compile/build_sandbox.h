// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/compile_plan.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace warpwright {

/// The sandbox that compilers of a candidate run in: no network, no device, only the candidate's sources and
/// the toolchain to read, only folders of the build to write to. It is a program that is started with the
/// compiler as its argument and ends as the compiler does.
struct BuildSandbox {
    QString program; ///< warpwright-sandbox; empty: there is none, and compilers run as they are
    QStringList words;

    bool operator==(const BuildSandbox &) const = default;
    [[nodiscard]] bool isThere() const { return !program.isEmpty(); }
    /// What to start instead of `tool`. `readable`, `writable`: of this run alone.
    [[nodiscard]] QStringList arguments(const QString &workspace, const QStringList &readable,
                                        const QStringList &writable, const QString &tool,
                                        const QStringList &toolArguments) const;
};

/// `warpwright-sandbox` beside the running program, or in the package's libexec; empty: not installed.
[[nodiscard]] QString findSandboxProgram(const QString &executableFolder);

/// What programs of this toolchain must be able to read: the system's, compilers, CUDA, Python's packages. A
/// folder that holds the home or `workspace` is left out: it would open them.
[[nodiscard]] QStringList toolchainPaths(const Toolchain &toolchain, const QProcessEnvironment &environment,
                                         const QString &workspace);

/// What a build of this plan must be able to read.
[[nodiscard]] BuildSandbox makeBuildSandbox(const QString &program, const CompilePlan &plan,
                                            const Toolchain &toolchain,
                                            const QProcessEnvironment &environment);

/// An environment from scratch: nothing of the caller's but where programs and their libraries are found.
[[nodiscard]] QProcessEnvironment buildEnvironment(const QProcessEnvironment &ours, const QString &tool,
                                                   const QString &scratch);

} // namespace warpwright
