// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/code_editor.h"

#include <QColor>

namespace warpwright {

/// A stretch of one line in one colour; in UTF-16 units from the line's start.
struct ColoredSpan {
    int start = 0;
    int length = 0;
    QColor color;
};

/// The colours of code that somebody else paints, the same that an editor gives it. One hidden editor does
/// the reading: make one and keep it. For the thread of the window.
class SyntaxColors {
public:
    SyntaxColors(const Look &look, QWidget *parent);

    /// Of each line its stretches, without gaps. Longer texts than `longest` come back without any: an editor
    /// takes a millisecond for 100 KB.
    [[nodiscard]] std::vector<std::vector<ColoredSpan>> of(const QStringList &lines,
                                                           CodeEditor::Language language);
    static constexpr qsizetype longest = 500'000;

private:
    CodeEditor *m_editor;
};

} // namespace warpwright
