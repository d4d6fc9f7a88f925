// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/language_values.h"

#include <QRect>
#include <QString>

#include <utility>
#include <vector>

namespace warpwright {

class CodeEditor;

/// Between the places that a language server speaks of and those of the editor, which counts bytes. Places
/// outside of the text are brought in.
[[nodiscard]] long positionOf(const CodeEditor &editor, TextPlace place);
[[nodiscard]] TextPlace placeOf(const CodeEditor &editor, long position);
[[nodiscard]] TextPlace cursorOf(const CodeEditor &editor);
[[nodiscard]] QString textBetween(const CodeEditor &editor, long from, long to);

/// Where the name at this position begins and ends; both the same: there is none.
[[nodiscard]] std::pair<long, long> nameAt(const CodeEditor &editor, long position);
/// In global coordinates, on one line of the screen.
[[nodiscard]] QRect rectOf(const CodeEditor &editor, long from, long to);
/// It stands in a comment or a string.
[[nodiscard]] bool isProse(const CodeEditor &editor, long position);

/// One step of undo; cursor and marks move with the text, and what is shown stays. Sorted, without overlap,
/// in terms of the text as it is now.
void replaceIn(CodeEditor &editor, const std::vector<TextReplacement> &replacements);

} // namespace warpwright
