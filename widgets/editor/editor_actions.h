// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

class QsciCommandSet;
class QsciScintilla;

namespace warpwright {

/// What keys do in an editor besides Scintilla's own moving and deleting. Each is one step of undo.

/// The first and the last line of the selection, from 0. One that ends before the first character of a line
/// does not mean that line.
[[nodiscard]] std::pair<int, int> selectedLines(const QsciScintilla &editor);
/// Comments the lines of the selection out, or in when all of them that hold text are commented already.
void toggleLineComments(QsciScintilla &editor, const char *sign);
/// Nothing selected: the word at the cursor. Else the next place that reads like the selection, too.
void selectNextOccurrence(QsciScintilla &editor);
/// The lines of the selection change places with the one above (-1) or below (1); what is selected stays so.
void moveSelectedLines(QsciScintilla &editor, int by);
/// False: there is no line that they could change places with.
[[nodiscard]] bool canMoveSelectedLines(const QsciScintilla &editor, int by);
/// The lines of the selection once more below themselves; the copy is then selected.
void duplicateSelectedLines(QsciScintilla &editor);
/// The lines of the selection, or of the cursor, go.
void deleteSelectedLines(QsciScintilla &editor);
/// The lines of the selection, or this and the next, become one, with a blank where a line ended.
void joinSelectedLines(QsciScintilla &editor);
/// All lines of the selection by so many steps; what is selected stays so.
void indentSelectedLines(QsciScintilla &editor, int steps);
/// One cursor more, so many lines below the lowest one, or above the topmost, in the same column.
void addCaret(QsciScintilla &editor, int lines);

/// From a brace at the cursor, or before it, to the same side of its partner.
void goToPartnerOfBrace(QsciScintilla &editor);

/// Takes away what Scintilla binds by itself and we use otherwise; Alt stays free for the review of hunks.
void setUpEditorKeys(QsciCommandSet &commands);

} // namespace warpwright
