// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/heat_marks.h"

#include "widgets/editor/code_editor.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/heat_scale.h"

#include <QHash>
#include <QPainter>

#include <algorithm>

namespace warpwright {

HeatMarks::HeatMarks(CodeEditor &editor) : EditorDecorator(editor) {
    editor.markerDefine(QsciScintilla::Invisible, CodeEditor::HeatMarker);
}

void HeatMarks::setMarks(std::vector<HeatMark> marks, bool isPast) {
    editor().markerDeleteAll(CodeEditor::HeatMarker);
    m_items.clear();
    m_isPast = isPast;
    for (HeatMark &mark : marks)
        if (mark.line >= 1 && mark.line <= editor().lines()) {
            const int handle = editor().markerAdd(mark.line - 1, CodeEditor::HeatMarker);
            m_items.push_back({std::move(mark), handle});
        }
    applyLook();
    editor().viewport()->update();
}

std::vector<HeatMark> HeatMarks::marks() const {
    std::vector<HeatMark> marks;
    for (const Item &item : m_items)
        if (const int line = editor().markerLine(item.handle); line >= 0) {
            marks.push_back(item.mark);
            marks.back().line = line + 1;
        }
    return marks;
}

const HeatMarks::Item *HeatMarks::itemAt(int line) const {
    const auto found = std::find_if(m_items.begin(), m_items.end(), [this, line](const Item &item) {
        return editor().markerLine(item.handle) == line;
    });
    return found == m_items.end() ? nullptr : &*found;
}

void HeatMarks::applyLook() {
    const bool isShown = isEnabled() && !m_items.empty();
    editor().setMarginWidth(CodeEditor::HeatColumn, isShown ? editor().look().px(heatCellWidth) : 0);
    markScrollBar();
}

void HeatMarks::enabledChanged() {
    applyLook();
}

// Hot ones only: a mark of every line would say nothing.
void HeatMarks::markScrollBar() {
    std::vector<double> places;
    const double last = std::max(1, editor().lines() - 1);
    if (isEnabled() && !m_isPast)
        for (const Item &item : m_items)
            if (heatStep(item.mark.share) > 0)
                if (const int line = editor().markerLine(item.handle); line >= 0)
                    places.push_back(line / last);
    editor().scrollMarks().setMarks(MarkedScrollBar::Heat, std::move(places), heatGround(editor().look(), 3));
}

void HeatMarks::paint(QPainter &painter, const QRect &) {
    if (m_items.empty())
        return;
    const Look &look = editor().look();
    const auto [left, right] = editor().marginSpan(CodeEditor::HeatColumn);
    painter.setFont(look.font(TextRole::Log));
    const int height = editor().rowHeight();
    QHash<int, const Item *> byLine; // Scintilla is asked once for each mark, and not at each line
    for (const Item &item : m_items)
        byLine.insert(editor().markerLine(item.handle), &item);
    for (const CodeEditor::ShownLine &line : editor().shownLines()) {
        if (const Item *item = byLine.value(line.line))
            drawHeatCell(painter, look, QRect(left + look.px(3), line.top, right - left - look.px(3), height),
                         item->mark.share, m_isPast);
    }
}

QString HeatMarks::toolTip(const QPoint &point) const {
    const auto [left, right] = editor().marginSpan(CodeEditor::HeatColumn);
    if (point.x() < left || point.x() >= right)
        return {};
    for (const CodeEditor::ShownLine &line : editor().shownLines())
        if (point.y() >= line.top && point.y() < line.top + editor().rowHeight())
            if (const Item *item = itemAt(line.line))
                return item->mark.toolTip;
    return {};
}

} // namespace warpwright
