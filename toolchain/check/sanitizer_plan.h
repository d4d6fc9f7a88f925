// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/sanitizers.h"
#include "toolchain/process/child_process.h"
#include "toolchain/tool_output/ptxas_report.h"
#include "toolchain/tool_output/sanitizer_report.h"

namespace warpwright {

/// What one candidate is run with under compute-sanitizer.
struct SanitizerPlan {
    QString program; ///< compute-sanitizer
    QString sandboxProgram;
    QStringList sandboxWords; ///< of the judge (`export`): what a candidate's process must reach
    QString interpreter;
    QString script;       ///< sanitize.py
    QString inputs;       ///< folder that the judge exported to
    QString runFolder;    ///< of the compiled candidate
    QString workspace;    ///< whose sources the errors are named in
    QString toolkit;      ///< folder of CUDA's own files
    QString scratch;      ///< a folder for these runs alone; the tool and the candidate may write to it
    QString device;       ///< for CUDA_VISIBLE_DEVICES
    QString libraryPaths; ///< LD_LIBRARY_PATH of ours; may be empty
    std::vector<KernelResources> kernels; ///< the candidate's own

    bool operator==(const SanitizerPlan &) const = default;
};

/// What the script says on standard error once the forward has come to its end.
inline constexpr auto sanitizedMark = "warpwright: the forward is done";

/// The tool under the sandbox's profile `tools`, which tells scratch/sandbox how strong it is. `limitMs`:
/// when it is ended.
[[nodiscard]] ProcessRequest sanitizerRequest(const SanitizerPlan &plan, const QString &tool, int limitMs);

/// What the tool's end means. Only errors in kernels that were compiled from the workspace count; torch's and
/// the libraries' are left out and counted. Errors that were printed count even when the tool did not come to
/// its end.
[[nodiscard]] SanitizerOutcome sanitizerOutcome(const SanitizerPlan &plan, const QString &tool,
                                                const ProcessOutcome &outcome);

} // namespace warpwright
