// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code_editor.h"

namespace warpwright {

/// Scintilla leads to the last place that an undo has changed. Of a step that has changed a text everywhere
/// that is its end, where nobody was: after such a step cursor and what is shown stay where they are, and the
/// same when it is done again.
class SteadyUndo : public QObject {
    Q_OBJECT
public:
    explicit SteadyUndo(CodeEditor &editor);

    /// What is changed between becomes one step of undo of this kind.
    void begin();
    void end();

    /// Of its marks among the steps; UndoTokens has others.
    static constexpr int token = -1;

private:
    void followed(int position, int type, int length, int given);
    void restore(long first, long anchor, long caret);

    CodeEditor &m_editor;
    bool m_isWithin = false;
    long m_top = 0; ///< position in the text where the topmost line that is shown begins
};

} // namespace warpwright
