// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

#include <functional>
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

    /// What a line (from 1) was, for the tooltip at the left of its text; empty: nothing to say.
    void setWas(std::function<QString(int line)> was) { m_was = std::move(was); }
    [[nodiscard]] QString was(int line) const { return m_was ? m_was(line) : QString(); }

    void forgetContent() override { setLines({}); }
    void paint(QPainter &painter, const QRect &rect) override;
    [[nodiscard]] QString toolTip(const QPoint &point) const override;

private:
    std::function<QString(int)> m_was;
};

} // namespace warpwright
