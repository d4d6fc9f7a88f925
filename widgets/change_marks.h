// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor_decorator.h"

#include <vector>

namespace warpwright {

/// A bar at the left edge of lines that differ from an earlier text; which, others decide.
class ChangeMarks : public EditorDecorator {
    Q_OBJECT
public:
    explicit ChangeMarks(CodeEditor &editor);

    /// From 1. They move with the text.
    void setLines(const std::vector<int> &lines);
    [[nodiscard]] std::vector<int> lines() const;

    void paint(QPainter &painter, const QRect &rect) override;
};

} // namespace warpwright
