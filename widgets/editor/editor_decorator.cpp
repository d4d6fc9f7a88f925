// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/editor_decorator.h"

#include "widgets/editor/code_editor.h"

namespace warpwright {

EditorDecorator::EditorDecorator(CodeEditor &editor) : m_editor(editor) {}

void EditorDecorator::setEnabled(bool enabled) {
    if (m_isEnabled == enabled)
        return;
    m_isEnabled = enabled;
    enabledChanged();
    m_editor.viewport()->update();
}

} // namespace warpwright
