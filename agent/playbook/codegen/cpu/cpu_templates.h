// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

#include <vector>

/// All ways of running one kernel on a CPU; those of a GPU: cuda/kernel_templates.h.
namespace warpwright {

struct CpuTemplate {
    const char *name; ///< "blas_matmul"
    bool (*canRun)(const Kernel &kernel);
    /// Predicted seconds of one call, with memory at `bandwidth` bytes a second and so many threads.
    double (*seconds)(const Kernel &kernel, const Knobs &knobs, double bandwidth, int threads);
    QString (*write)(const KernelSource &source);
};

/// In order of preference; the last one runs whatever consists of loops.
[[nodiscard]] const std::vector<CpuTemplate> &cpuTemplates();
/// The first that can run the kernel.
[[nodiscard]] const CpuTemplate &cpuTemplateOf(const Kernel &kernel);

} // namespace warpwright
