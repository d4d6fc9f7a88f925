// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

/// What series are drawn with, so that colour is never the only sign.
namespace warpwright {

/// A 45° hatch in tiles of `tile`, `line` on `ground`. Drawn as lines, for an SVG holds no pixmap brushes.
void drawHatched(QPainter &painter, const QRectF &rect, const QColor &ground, const QColor &line,
                 double tile);

/// The signs of a point, by series or author.
enum class PlotMark { Circle, Square, Triangle, Pentagon, Diamond };
void drawMark(QPainter &painter, PlotMark mark, const QPointF &centre, double size, const QColor &fill,
              const QColor &edge, double edgeWidth);

} // namespace warpwright
