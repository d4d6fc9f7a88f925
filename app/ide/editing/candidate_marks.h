// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/workbench.h"

namespace warpwright {

class CodeEditor;

/// What an evaluation says about one file, put on its lines: diagnostics as marks, and on each kernel's line
/// what it needs of the chip with the change against the parent iteration. `file` as in Diagnostic. Of a
/// stale evaluation the marks stay (they move with the text), the notes of kernels go. `compiled`: of a newer
/// text than the evaluation's, which is then what it is compared with; null: there is none.
void markCandidate(CodeEditor &editor, const QString &file, const Shown &shown, const CompiledText *compiled,
                   bool isStale);

/// The line (from 1) on which this text defines the kernel of that demangled name; 0: it does not.
[[nodiscard]] int lineOfKernel(const QString &text, const QString &demangledName);
/// "32 registers (+4), 64 B shared, no spills"
[[nodiscard]] QString resourceNote(const KernelResources &now, const KernelResources *before);

} // namespace warpwright
