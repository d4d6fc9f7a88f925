// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

namespace warpwright {

/// One line under a veil of the accent: what is looked at elsewhere comes from here. It does not move with
/// the text, for it follows a mouse.
class LitLine : public EditorDecorator {
    Q_OBJECT
public:
    using EditorDecorator::EditorDecorator;

    /// From 1; 0: none.
    void setLine(int line);
    [[nodiscard]] int line() const { return m_line; }

    void paint(QPainter &painter, const QRect &rect) override;

private:
    int m_line = 0;
};

} // namespace warpwright
