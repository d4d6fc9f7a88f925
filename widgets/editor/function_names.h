// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

class QTimer;

namespace warpwright {

/// Colours names before «(», template arguments between. The lexers know no functions; this looks only at the
/// lines in view, once Scintilla has come to rest.
class FunctionNames : public EditorDecorator {
    Q_OBJECT
public:
    explicit FunctionNames(CodeEditor &editor);

    void applyLook() override;
    /// At once; otherwise it happens when the event loop is next idle.
    void refresh();
    /// One line, which has been lexed, wherever it is; FunctionIndicator must be the current one.
    void refreshLine(int line);

protected:
    void enabledChanged() override;

private:
    QTimer *m_timer;
};

} // namespace warpwright
