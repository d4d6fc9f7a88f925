// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/text_lines.h"

#include <QString>

/// What a person would call a hunk, in half a line: the function or kernel that it changes comes first, and a
/// comment is never what it is called by.
namespace warpwright {

/// The function or class that a line begins to define, in C++, CUDA or Python; empty: it defines none.
[[nodiscard]] QString definedName(const QByteArray &line);
/// "rowsKernel: const float4 v = load(x)"; "rowsKernel: comment". `above`: the file's lines before the hunk.
[[nodiscard]] QString hunkTitle(const TextLines &above, const TextLines &oldLines, const TextLines &newLines);
[[nodiscard]] QString titleOfNewFile(const QString &path);     ///< "new file gate.cpp"
[[nodiscard]] QString titleOfDeletedFile(const QString &path); ///< "delete gate.cpp"

} // namespace warpwright
