// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

/// All ways of running one kernel on a GPU: the only place that knows which there are.
namespace warpwright {

/// One way: when it applies, what can be tuned, how long it should take, and its text.
struct KernelTemplate {
    const char *name;    ///< "sm90_matmul"
    const char *summary; ///< what it computes, for people: "a matmul"
    /// The text calls cuBLASLt or cuDNN; `config` chooses among the library's algorithms.
    bool isLibrary;
    bool takesTf32; ///< may multiply float operands as TF32, which the knobs decide
    /// Legality: whether the template can run this kernel, on its device and with these knobs.
    bool (*canRun)(const Kernel &kernel, const Knobs &knobs);
    /// The launcher's values of `config`, the most promising first; never empty.
    std::vector<int> (*configs)(const Kernel &kernel, const Knobs &knobs);
    /// Predicted seconds of one launch, with memory at `bandwidth` bytes a second.
    double (*seconds)(const Kernel &kernel, const Knobs &knobs, double bandwidth);
    QString (*write)(const KernelSource &source);
};

/// In order of preference; the last one runs whatever consists of loops.
[[nodiscard]] const std::vector<KernelTemplate> &cudaTemplates();
/// The first that can run the kernel.
[[nodiscard]] const KernelTemplate &cudaTemplateOf(const Kernel &kernel, const Knobs &knobs);

/// Its configs.
[[nodiscard]] std::vector<int> configSpace(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
