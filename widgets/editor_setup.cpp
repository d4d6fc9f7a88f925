// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor_setup.h"

#include "widgets/auto_close.h"
#include "widgets/auto_indent.h"
#include "widgets/brace_marks.h"
#include "widgets/change_marks.h"
#include "widgets/code_editor.h"
#include "widgets/diagnostic_marks.h"
#include "widgets/editor_commands.h"
#include "widgets/fold_marks.h"
#include "widgets/function_names.h"
#include "widgets/heat_marks.h"
#include "widgets/hunk_marks.h"
#include "widgets/kept_readings.h"
#include "widgets/line_notes.h"
#include "widgets/lit_line.h"
#include "widgets/rows_below.h"
#include "widgets/steady_undo.h"
#include "widgets/undo_tokens.h"

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
