// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/compile_run.h"
#include "toolchain/inspect/occupancy.h"
#include "toolchain/inspect/opcode_mix.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <optional>

namespace warpwright {

/// All that the compiler knows of one kernel.
struct InspectedKernel {
    QString source; ///< "kernels/softmax.cu"
    KernelResources resources;
    std::vector<Occupancy>
        occupancies; ///< for several sizes of a block; none: an architecture without numbers
    std::optional<KernelCode> sass;
    std::optional<OpcodeMix> mix; ///< of the SASS
    std::optional<KernelCode> ptx;

    [[nodiscard]] int launchThreads() const;
    bool operator==(const InspectedKernel &) const = default;
};

/// What the compiler knows of a workspace's kernels, without a device.
struct Inspection {
    QString workspace; ///< absolute
    QString architecture;
    QString nvcc; ///< its version
    CompileStatus status = CompileStatus::Failed;
    std::vector<Diagnostic> diagnostics;
    QString log;
    QString note;                         ///< what could not be shown, and why
    std::vector<InspectedKernel> kernels; ///< in the order of the sources, then as ptxas met them
    std::vector<KernelCode> ptxFunctions; ///< device functions that PTX keeps apart
    int compiled = 0;                     ///< sources (SASS and PTX each) that were not in the cache
    double compileSeconds = 0;
    double disassemblySeconds = 0;

    bool operator==(const Inspection &) const = default;
};

/// What one source gave.
struct InspectedSource {
    QString source;
    std::vector<KernelResources> resources;
    std::vector<KernelCode> sass;
    std::vector<KernelCode> ptx;
};

/// Brings the parts of each kernel together by its mangled name. `threads`: a block's size for the occupancy;
/// 0: the usual ones.
[[nodiscard]] std::vector<InspectedKernel> inspectedKernels(const std::vector<InspectedSource> &sources,
                                                            const QString &workspace, int threads);

/// "16 of 64 warps, 25 %, limited by registers"; of a launch that fails: "does not launch, for its
/// registers".
[[nodiscard]] QString occupancyText(const Occupancy &occupancy);

} // namespace warpwright
