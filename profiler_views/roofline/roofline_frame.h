// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/roofline.h"

#include <qcustomplot.h>

#include <QLineF>
#include <QPolygonF>
#include <QRect>

/// The ceilings of a roofline as lines and words in pixels: what is drawn, and what else that is drawn keeps
/// off.
namespace warpwright {

class Look;

/// Where numbers stand on a chart whose axes are both logarithmic; as QCPAxis says, for an area that need not
/// be the present one.
struct RooflineFrame {
    QRect area;      ///< between the axes
    QCPRange x;      ///< FLOP a byte
    QCPRange y;      ///< FLOP/s, in `unit`
    double unit = 1; ///< FLOP/s

    [[nodiscard]] QPointF at(double intensity, double flopsPerSecond) const;
};

struct RoofLine {
    QLineF line; ///< may lead out of the area
    bool isOfTask = false;
};

/// A point where it is drawn.
struct PlacedPoint {
    std::size_t point = 0;  ///< of the roofline's
    bool isEarlier = false; ///< an iteration that is not shown: a small mark
    QPointF at;
    QPointF last; ///< of the earlier iterations beside it for which it stands; else `at`
};

/// `at` counts from `origin`, turned by `degrees`.
struct RoofWord {
    QString text;
    QPointF origin;
    double degrees = 0;
    QPointF at;
    Qt::Alignment alignment;
    bool isOfTask = false;
    QPolygonF outline; ///< four corners
};

/// Bytes a second; 0: no such ceiling.
[[nodiscard]] double memoryCeiling(const std::vector<RooflineCeiling> &ceilings);
/// FLOP/s; 0: no such ceiling.
[[nodiscard]] double highestCeiling(const std::vector<RooflineCeiling> &ceilings);

[[nodiscard]] std::vector<RoofLine> roofLines(const std::vector<RooflineCeiling> &ceilings,
                                              const RooflineFrame &frame);
/// In the font of axes. A slope's word keeps off the points, where it can.
[[nodiscard]] std::vector<RoofWord> roofWords(std::vector<RooflineCeiling> ceilings,
                                              const std::vector<PlacedPoint> &points,
                                              const RooflineFrame &frame, const Look &look);

} // namespace warpwright
