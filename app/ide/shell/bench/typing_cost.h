// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

class CodeEditor;

/// What one key costs the window's thread, in ms of its CPU time: typed, coloured and painted.
struct TypingCost {
    double medianMs = 0;
    double worstMs = 0;
    int keys = 0;
};

/// Types letters, braces and line ends in the middle of the text and takes them back by undo. The editor must
/// be visible. For benches: it takes as long as the keys do.
[[nodiscard]] TypingCost measureTyping(CodeEditor &editor, int keys);

/// CUDA C++ of at least `lines` lines, as a person would write it.
[[nodiscard]] QString longKernelFile(int lines);

} // namespace warpwright
