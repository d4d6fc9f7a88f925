// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

#include <vector>

namespace warpwright {

/// A few quiet words behind the end of a line, as a kernel's registers behind its name. Scintilla of this age
/// has none of its own.
class LineNotes : public EditorDecorator {
    Q_OBJECT
public:
    explicit LineNotes(CodeEditor &editor);

    /// `line` from 1, moving with the text; empty takes the note away.
    void set(int line, const QString &text);
    void clear();
    /// Empty: none.
    [[nodiscard]] QString noteAt(int line) const;

    void forgetContent() override { clear(); }
    void paint(QPainter &painter, const QRect &rect) override;
    [[nodiscard]] QString toolTip(const QPoint &point) const override;

private:
    struct Note {
        int handle = -1;
        QString text;
    };

    std::vector<Note> m_notes;
};

} // namespace warpwright
