// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/compile_plan.h"
#include "toolchain/process/child_process.h"
#include "toolchain/tool_output/compiler_diagnostics.h"

namespace warpwright {

/// What a compiler process was doing when it did not succeed.
struct CompileAct {
    QString what; ///< "compile \"kernels/x.cu\"" or "link the extension"
    QString tool; ///< absolute path
    QString workspace;
    QStringList folders; ///< it wrote to these: scratch, object cache, build folder
    bool hasUserFlags = false;
};

/// The sentence for a fault that the candidate's text cannot help: a full disk, a compiler that is killed or
/// broken, a header of torch or CUDA that is not installed, an option of ours that this compiler does not
/// know. Empty: the text is at fault, and `diagnostics` (parsed from the output) say how.
[[nodiscard]] QString environmentFault(const CompileAct &act, const ProcessOutcome &outcome,
                                       const std::vector<Diagnostic> &diagnostics);

/// The folder of `folders` whose disk is full (less than a megabyte is left); empty: none.
[[nodiscard]] QString fullFolder(const QStringList &folders);

/// What to do when the compiler does not start.
[[nodiscard]] QString adviceForCompiler(const QString &tool);

} // namespace warpwright
