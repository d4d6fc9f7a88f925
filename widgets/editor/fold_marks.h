// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

namespace warpwright {

/// What can be folded shows a chevron while the pointer is over the margin; what is folded always shows one,
/// and how many lines it hides.
class FoldMarks : public EditorDecorator {
    Q_OBJECT
public:
    explicit FoldMarks(CodeEditor &editor);

    /// Folds or unfolds the block that begins at `line` (from 0) or, when none does, the one around it.
    void toggleAt(int line);

    void paint(QPainter &painter, const QRect &rect) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] bool isHeader(int line) const;

    bool m_isOverMargin = false;
};

} // namespace warpwright
