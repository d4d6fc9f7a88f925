// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

namespace warpwright {

/// The bracket beside the cursor and its partner, or that it has none. Not «<» and «>», as Scintilla's own
/// would: in C++ they compare more often than they enclose. Nor what stands in comments and strings.
class BraceMarks : public EditorDecorator {
    Q_OBJECT
public:
    explicit BraceMarks(CodeEditor &editor);

private:
    void mark();
    void enabledChanged() override { mark(); }
};

} // namespace warpwright
