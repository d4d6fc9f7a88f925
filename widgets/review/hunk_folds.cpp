// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/review/hunk_folds.h"

#include "widgets/editor/code_editor.h"

namespace warpwright {

HunkFolds::HunkFolds(CodeEditor &editor) : QObject(&editor), m_editor(editor) {
    editor.markerDefine(QsciScintilla::Invisible, CodeEditor::HiddenMarker);
    connect(&editor, &QsciScintilla::cursorPositionChanged, this, [this](int line, int) { unfold(line); });
    // The lexer shows lines whose fold level falls.
    connect(&editor, &QsciScintilla::linesChanged, this, &HunkFolds::hideAgain);
}

void HunkFolds::set(const std::vector<Stretch> &stretches) {
    if (stretches == this->stretches()) {
        hideAgain();
        return;
    }
    for (const Stretch &stretch : this->stretches())
        m_editor.sci(QsciScintillaBase::SCI_SHOWLINES, stretch.first, stretch.last);
    m_editor.markerDeleteAll(CodeEditor::HiddenMarker);
    m_handles.clear();
    if (!stretches.empty())
        m_editor.sci(QsciScintillaBase::SCI_COLOURISE, 0, -1); // fold levels that come later would show lines
    for (const Stretch &stretch : stretches)
        m_handles.push_back({m_editor.markerAdd(stretch.first, CodeEditor::HiddenMarker),
                             m_editor.markerAdd(stretch.last, CodeEditor::HiddenMarker)});
    hideAgain();
}

std::vector<HunkFolds::Stretch> HunkFolds::stretches() const {
    std::vector<Stretch> answer;
    for (const Handles &handles : m_handles) {
        const Stretch stretch{m_editor.markerLine(handles.first), m_editor.markerLine(handles.last)};
        if (stretch.first > 0 && stretch.last >= stretch.first)
            answer.push_back(stretch);
    }
    return answer;
}

void HunkFolds::hideAgain() {
    for (const Stretch &stretch : stretches())
        m_editor.sci(QsciScintillaBase::SCI_HIDELINES, stretch.first, stretch.last);
}

void HunkFolds::unfold(int line) {
    for (auto handles = m_handles.begin(); handles != m_handles.end(); ++handles) {
        const Stretch stretch{m_editor.markerLine(handles->first), m_editor.markerLine(handles->last)};
        if (line < stretch.first || line > stretch.last)
            continue;
        m_editor.sci(QsciScintillaBase::SCI_SHOWLINES, stretch.first, stretch.last);
        m_editor.markerDeleteHandle(handles->first);
        m_editor.markerDeleteHandle(handles->last);
        m_handles.erase(handles);
        emit changed();
        return;
    }
}

void HunkFolds::unfoldAll() {
    if (m_handles.empty())
        return;
    for (const Stretch &stretch : stretches())
        m_editor.sci(QsciScintillaBase::SCI_SHOWLINES, stretch.first, stretch.last);
    m_editor.markerDeleteAll(CodeEditor::HiddenMarker);
    m_handles.clear();
    emit changed();
}

} // namespace warpwright
