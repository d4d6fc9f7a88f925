// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

namespace warpwright {

/// What closes a bracket or quote is written with it, is typed over where it was written so, goes with it by
/// Backspace, and stands behind a selection when its opening is typed over that. With several cursors keys
/// do what they always do.
class AutoClose : public EditorDecorator {
    Q_OBJECT
public:
    explicit AutoClose(CodeEditor &editor);

    /// The pair that the cursor stands in was written by a completion: it is as if it had been closed here.
    void adopt();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool typed(QChar sign);
    bool wrap(QChar opening, QChar closing);
    bool deletePair();
    [[nodiscard]] QChar signAt(long position) const; ///< null beyond the text
    [[nodiscard]] bool isOurs(long position) const;
    void mark(long position, bool isOurs);
};

} // namespace warpwright
