// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/diagnostic.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <QString>

#include <vector>

namespace warpwright {

enum class CompileStatus { Passed, Failed, Cancelled };

/// What came of a plan: written by its run and by the report of it.
struct CompileOutcome {
    CompileStatus status = CompileStatus::Failed;
    double seconds = 0; ///< to the run folder; without the listings
    std::vector<Diagnostic> diagnostics;
    std::vector<KernelResources> kernels;
    QString log;       ///< every command that was run, and what each tool said
    QString runFolder; ///< only when passed
    QString sandbox;   ///< what stood around the last compiler: "namespaces", "landlock"; empty: nothing ran
    int cachedObjects = 0;
    int precompiledHeaders = 0; ///< objects that were made with torch's headers read precompiled
    int objects = 0;

    bool operator==(const CompileOutcome &) const = default;
};

} // namespace warpwright
