// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/evaluation_message.h"
#include "toolchain/base/verdict.h"
#include "toolchain/tool_output/compiler_diagnostics.h"
#include "toolchain/workspace/workspace.h"

#include <optional>

namespace warpwright {

/// What a workspace's text tells before anything is compiled or run: that it cannot be checked as it is.
struct TextRefusal {
    Verdict verdict = Verdict::NotRun;
    EvaluationMessage message;
    std::vector<Diagnostic> diagnostics;
};

/// A text that neither Python nor a compiler reads (UTF-16), a ModelNew that brings its kernels along in one
/// file or in its neighbours (load_inline, Triton), a lone file with a ModelNew, two Python modules in one
/// library. `isCuda`: it is linked for a CUDA device.
[[nodiscard]] std::optional<TextRefusal> whyNotCheckable(const Workspace &workspace, bool isCuda);

/// What this file is, and what to do with it, where it holds no reference: a candidate (ModelNew), a function
/// without a class, a module of another name, a notebook. `doing`: "open the workspace", "make a workspace
/// from".
[[nodiscard]] std::optional<EvaluationMessage> whyNoReference(const QString &doing, const QString &path,
                                                              const QByteArray &text);

/// What to do about a kernel without a CPU twin. `source`: "kernels/X.cu".
[[nodiscard]] QString adviceForTwin(const Workspace &workspace, const QString &source);

/// What is checked, but otherwise than its owner may believe.
[[nodiscard]] QStringList doubtsOfFiles(const Workspace &workspace);

} // namespace warpwright
