// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/compile_outcome.h"
#include "toolchain/compile/compile_plan.h"

namespace warpwright {

/// What the linker said, with the names of our sources. An unresolved symbol is an error unless Python has
/// it.
[[nodiscard]] std::vector<Diagnostic> linkDiagnostics(const QByteArray &text, const CompilePlan &plan);

/// Diagnostics, kernels and log of a whole run, in the order of its steps whatever order they ended in.
void reportInto(CompileOutcome &outcome, const CompilePlan &plan, const std::vector<QByteArray> &logs,
                const QByteArray &linkLog);

} // namespace warpwright
