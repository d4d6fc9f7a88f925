// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/base/stages.h"
#include "toolchain/check/sanitizer_plan.h"
#include "toolchain/compile/device_choice.h"

namespace warpwright {

/// What an evaluation knows when its candidate could be run under the sanitizers. References: it lives only
/// for the call.
struct SanitizerNeeds {
    Tier tier = Tier::Quick;
    const DeviceChoice &device;
    const Toolchain &toolchain; ///< with a Python
    const QString &workspace;
    const QString &runFolder;
    const QString &refereeSources; ///< the script lies there
    const QString &scratch;        ///< of the evaluation
    const QProcessEnvironment &environment;
    const std::vector<KernelResources> &kernels; ///< of the compiled candidate
};

/// Why the sanitizers are not run at all; empty: they are.
[[nodiscard]] QString whyNoSanitizers(const SanitizerNeeds &needs, const QString &sandboxProgram);

/// The folder that the judge is to export to; it is made, and may be read by all: the tools may run as
/// another user.
[[nodiscard]] Result<QString> makeExportFolder(const SanitizerNeeds &needs);

/// `exported`: the judge's answer to `export`. Makes the folder that tool and candidate may write to.
[[nodiscard]] Result<SanitizerPlan> makeSanitizerPlan(const SanitizerNeeds &needs,
                                                      const QString &sandboxProgram,
                                                      const QString &exportFolder, const Json &exported);

} // namespace warpwright
