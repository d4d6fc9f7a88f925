// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

#include <vector>

namespace warpwright {

/// The part of a whole that one line takes.
struct HeatMark {
    int line = 0; ///< from 1
    double share = 0;
    QString toolTip; ///< plain text

    bool operator==(const HeatMark &) const = default;
};

/// A column left of the numbers that says of lines how hot they are, by colour and number; without marks, or
/// switched off, there is no column. Marks move with the text.
class HeatMarks : public EditorDecorator {
    Q_OBJECT
public:
    explicit HeatMarks(CodeEditor &editor);

    /// `isPast`: they are of an older text, and drawn without colour.
    void setMarks(std::vector<HeatMark> marks, bool isPast);
    /// With their present lines; without those whose line is gone.
    [[nodiscard]] std::vector<HeatMark> marks() const;
    [[nodiscard]] bool isPast() const { return m_isPast; }

    void applyLook() override;
    void paint(QPainter &painter, const QRect &rect) override;
    [[nodiscard]] QString toolTip(const QPoint &point) const override;

protected:
    void enabledChanged() override;

private:
    struct Item {
        HeatMark mark;
        int handle = -1;
    };
    [[nodiscard]] const Item *itemAt(int line) const;
    void markScrollBar();

    std::vector<Item> m_items;
    bool m_isPast = false;
};

} // namespace warpwright
