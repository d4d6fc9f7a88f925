// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor_decorator.h"

namespace warpwright {

/// A new line starts where the last one did, deeper after «{», «(», «[» and in Python «:»; a closing brace
/// that comes first on its line goes back to the line of its partner.
class AutoIndent : public EditorDecorator {
    Q_OBJECT
public:
    explicit AutoIndent(CodeEditor &editor);

private:
    void indentNewLine();
    void alignClosingBrace();
};

} // namespace warpwright
