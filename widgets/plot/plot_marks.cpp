// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_marks.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpwright {

void drawHatched(QPainter &painter, const QRectF &rect, const QColor &ground, const QColor &line,
                 double tile) {
    painter.save();
    painter.fillRect(rect, ground);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, tile / 3.0, Qt::SolidLine, Qt::FlatCap));
    // x + y = c crosses the rectangle from its left or lower edge to its upper or right one.
    const double first = std::ceil((rect.left() + rect.top()) / tile) * tile;
    for (double c = first; c < rect.right() + rect.bottom(); c += tile) {
        const QPointF from(std::max(rect.left(), c - rect.bottom()),
                           std::min(rect.bottom(), c - rect.left()));
        const QPointF to(std::min(rect.right(), c - rect.top()), std::max(rect.top(), c - rect.right()));
        if (to.x() > from.x())
            painter.drawLine(from, to);
    }
    painter.restore();
}

void drawMark(QPainter &painter, PlotMark mark, const QPointF &centre, double size, const QColor &fill,
              const QColor &edge, double edgeWidth) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(edge, edgeWidth));
    painter.setBrush(fill);
    const double radius = size / 2;
    const auto polygon = [&](int corners, double turn, double reach) {
        QPolygonF shape;
        for (int i = 0; i < corners; ++i) {
            const double angle = turn + 2 * std::numbers::pi * i / corners;
            shape << centre + reach * QPointF(std::sin(angle), -std::cos(angle));
        }
        painter.drawPolygon(shape);
    };
    switch (mark) {
    case PlotMark::Circle:
        painter.drawEllipse(centre, radius, radius);
        break;
    case PlotMark::Square:
        painter.drawRect(
            QRectF(centre.x() - 0.88 * radius, centre.y() - 0.88 * radius, 1.76 * radius, 1.76 * radius));
        break;
    case PlotMark::Triangle:
        polygon(3, 0, 1.4 * radius);
        break;
    case PlotMark::Pentagon:
        polygon(5, 0, 1.15 * radius);
        break;
    case PlotMark::Diamond:
        polygon(4, 0, 1.2 * radius);
        break;
    }
    painter.restore();
}

} // namespace warpwright
