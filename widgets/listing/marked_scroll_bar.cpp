// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/marked_scroll_bar.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>

#include <cmath>

namespace warpwright {

MarkedScrollBar::MarkedScrollBar(const Look &look, Qt::Orientation orientation, QWidget *parent)
    : QScrollBar(orientation, parent), m_look(look), m_layers(Layers) {
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void MarkedScrollBar::setMarks(Layer layer, std::vector<double> places, const QColor &color) {
    Marks &marks = m_layers[layer];
    if (marks.places == places && marks.color == color)
        return;
    marks = {std::move(places), color};
    update();
}

const std::vector<double> &MarkedScrollBar::marks(Layer layer) const {
    return m_layers[layer].places;
}

QSize MarkedScrollBar::sizeHint() const {
    const int thickness = m_look.px(8);
    return orientation() == Qt::Vertical ? QSize(thickness, m_look.px(48)) : QSize(m_look.px(48), thickness);
}

void MarkedScrollBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.pane"));
    QStyleOptionSlider option;
    initStyleOption(&option);
    if (maximum() > minimum()) {
        QRect handle =
            style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const bool isHeld = isSliderDown();
        painter.setBrush(m_look.color(isHeld ? "text.tertiary" : "border.strong"));
        const int gap = m_look.px(1);
        handle.adjust(gap, gap, -gap, -gap);
        const double radius = std::min(handle.width(), handle.height()) / 2.0;
        painter.drawRoundedRect(handle, radius, radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (orientation() != Qt::Vertical)
        return;
    const int thickness = m_look.px(2);
    const QRect groove =
        style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarGroove, this);
    for (const Marks &marks : m_layers) {
        for (const double place : marks.places) {
            const int y = groove.top() + static_cast<int>(std::lround(place * (groove.height() - thickness)));
            // The edge keeps it apart from a handle of like lightness.
            painter.fillRect(0, y - 1, width(), thickness + 2, m_look.color("bg.pane"));
            painter.fillRect(0, y, width(), thickness, marks.color);
        }
    }
}

} // namespace warpwright
