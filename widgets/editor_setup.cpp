// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor_setup.h"

#include "widgets/editor/auto_close.h"
#include "widgets/editor/auto_indent.h"
#include "widgets/editor/brace_marks.h"
#include "widgets/editor/change_marks.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor/fold_marks.h"
#include "widgets/editor/function_names.h"
#include "widgets/editor/heat_marks.h"
#include "widgets/editor/kept_readings.h"
#include "widgets/editor/line_notes.h"
#include "widgets/editor/lit_line.h"
#include "widgets/editor/rows_below.h"
#include "widgets/editor/steady_undo.h"
#include "widgets/editor/undo_tokens.h"
#include "widgets/review/hunk_marks.h"

namespace warpwright {
namespace {

template <class... Decorators>
void addDecorators(CodeEditor &editor) {
    (editor.addDecorator(std::make_unique<Decorators>(editor)), ...);
}

} // namespace

std::unique_ptr<CodeEditor> makeCodeEditor(const Look &look, QWidget *parent) {
    auto editor = std::make_unique<CodeEditor>(look, parent);
    // RowsBelow asks those that draw and must go before them.
    addDecorators<RowsBelow, UndoTokens, SteadyUndo, KeptReadings, EditorCommands>(*editor);
    // Later ones draw over earlier ones.
    addDecorators<FunctionNames, LitLine, HeatMarks, ChangeMarks, FoldMarks, LineNotes, HunkMarks,
                  DiagnosticMarks>(*editor);
    addDecorators<AutoClose, AutoIndent, BraceMarks>(*editor);
    return editor;
}

} // namespace warpwright
