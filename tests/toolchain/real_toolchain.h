// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/toolchain/scratch.h"
#include "toolchain/compile/compile_run.h"

#include <QSignalSpy>

/// What this machine has, asked once for the whole program.
const warpwright::Toolchain &realToolchain();

/// The names of what is missing for compiling, empty: nothing. `forCuda` also asks for nvcc and torch's CUDA.
QString missingTools(bool forCuda);

/// One compile run, driven to its end.
struct RunResult {
    std::optional<warpwright::CompileOutcome> outcome;
    QString message;   ///< of failed()
    int answers = 0;   ///< finished() and failed() together: always one
    QStringList steps; ///< "compile 1/3 binding.cpp"
};

RunResult runCompile(const warpwright::CompilePlan &plan, const QString &cache, int cancelAfterMs = -1,
                     int maxJobs = 2, const QString &preparer = {});

/// A workspace whose binding uses Python's own interface, so that it compiles in a fifth of a second:
/// cuda_extension.answer(x) calls `int answer(int)` of kernels/answer.{cu,cpp}.
class SmallWorkspace {
public:
    SmallWorkspace();

    [[nodiscard]] warpwright::CompilePlan plan(warpwright::TargetKind kind = warpwright::TargetKind::Cpu,
                                               const warpwright::Toolchain &tools = realToolchain()) const;
    [[nodiscard]] QString cache() const { return scratch.path("cache"); }

    Scratch scratch;
};
