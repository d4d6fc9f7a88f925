// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

namespace warpwright {

struct TextBefore;

/// A new line starts where its statement does, deeper after «{», «(», «[» and in Python «:», less deep behind
/// Python's «return» and its like; Enter between braces makes a block of them, and a closing bracket that
/// comes first on its line goes back to where its partner's statement begins.
class AutoIndent : public EditorDecorator {
    Q_OBJECT
public:
    explicit AutoIndent(CodeEditor &editor);

private:
    [[nodiscard]] TextBefore before(long position) const;
    void indentNewLine();
    void alignClosingBrace(QChar closing);
};

} // namespace warpwright
