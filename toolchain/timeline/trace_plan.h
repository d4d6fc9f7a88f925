// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/process/child_process.h"
#include "toolchain/timeline/timeline.h"

namespace warpwright {

/// What one workspace's arms are traced with.
struct TracePlan {
    bool wantsBaselines = true; ///< torch's eager and compiled reference as well
    QString sandboxProgram;
    QStringList sandboxWords; ///< of the judge (`export`): what a candidate's process must reach
    QString interpreter;
    QString script;                  ///< trace_call.py
    QString regionWatch;             ///< library that sees a candidate's parallel regions; empty: none
    QString inputs;                  ///< folder that the judge exported to
    QString runFolder;               ///< of the compiled candidate
    QString modelFile;               ///< the reference
    QString toolkit;                 ///< folder of CUDA's own files; may be empty
    QString scratch;                 ///< a folder for this alone; the candidate may write to it
    QString device;                  ///< for CUDA_VISIBLE_DEVICES; empty: the CPU
    QProcessEnvironment environment; ///< of the trusted arms

    bool operator==(const TracePlan &) const = default;
};

/// The document that the script writes of the candidate, or of the reference's two arms.
[[nodiscard]] QString tracePathOf(const TracePlan &plan, bool isCandidate);

/// The candidate in a process under the sandbox's profile `tools`, or the reference's arms in one as the
/// judge's own workers run them. Two processes: nothing that a candidate does is in the others' pictures.
[[nodiscard]] ProcessRequest traceRequest(const TracePlan &plan, bool isCandidate, int limitMs);

} // namespace warpwright
