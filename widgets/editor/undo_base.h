// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/code_editor.h"

namespace warpwright {

/// A person's change that is not saved, over a text that lies below it; each as for
/// CodeEditor::applyEdits(). Both empty: nothing was changed.
struct OwnChange {
    std::vector<LineEdit> away; ///< from what is shown to the text below
    std::vector<LineEdit> back; ///< and from there to what is shown

    bool operator==(const OwnChange &) const = default;
};

/// An agent's run writes into texts that are open. Scintilla has one list of steps for all who write, so
/// Ctrl+Z would take the run's text and leave the last keystroke. Therefore the list begins anew over what
/// the run has written: `edits` bring the text to what is to be shown, and `own` of it is from now on the one
/// step that can be undone. The text below is the savepoint. Cursor and what is shown stay where they are.
void beginUndoAnew(CodeEditor &editor, const std::vector<LineEdit> &edits, const OwnChange &own = {});

} // namespace warpwright
