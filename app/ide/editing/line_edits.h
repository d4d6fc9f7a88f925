// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/code_editor.h"

#include <QString>

#include <vector>

namespace warpwright {

/// What turns `before`, as the editor holds it, into `after`, touching as few lines as it can: so cursor,
/// marks and folds of all others stay. Empty when they are the same.
[[nodiscard]] std::vector<LineEdit> lineEdits(const QString &before, const QString &after);

/// `text` after the edits, as CodeEditor::applyEdits would make it.
[[nodiscard]] QString withEdits(const QString &text, const std::vector<LineEdit> &edits);

} // namespace warpwright
