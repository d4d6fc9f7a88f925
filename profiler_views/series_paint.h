// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"
#include "widgets/plot/plot_marks.h"

#include <QColor>
#include <QPointF>

class QPainter;

/// The same series looks the same in every view.
namespace warpwright {

class Look;

struct SeriesStyle {
    QColor fill;
    QColor edge;
    bool isHatched = false; ///< TF32
    PlotMark mark = PlotMark::Circle;
    bool isOpen = false; ///< its mark has no filling
};

[[nodiscard]] SeriesStyle seriesStyle(const Look &look, const ArmFigures &arm);

/// A bar of the series; hollow when its time is stored, dashed when it is stale.
void drawBar(QPainter &painter, const Look &look, const QRectF &rect, const SeriesStyle &style, bool isStored,
             bool isStale);
/// Between two points, with whiskers across whose outer edges are its ends; where those would be wider than
/// the interval, one tick in its middle. `along`: of the axis that the interval is on.
void drawErrorBar(QPainter &painter, const Look &look, QPointF low, QPointF high, const QColor &color,
                  Qt::Orientation along = Qt::Horizontal);
/// Dash 5-3, 1.5 px.
void drawSpeedOfLight(QPainter &painter, const Look &look, const QPointF &from, const QPointF &to,
                      const QColor &color);
/// A word on the ground of the pane, so that lines do not run through it. `flags`: alignment at `at`.
void drawWord(QPainter &painter, const Look &look, const QPointF &at, Qt::Alignment alignment,
              const QString &text, const QColor &color, bool hasGround);

/// A tick's number with the decimals that its distance to the next needs: "36.25", "36.50"; "1,200".
[[nodiscard]] QString tickText(double value, double step);
/// The tooltip of one arm: exact values, lines of plain text.
[[nodiscard]] QString armToolTip(const MeasuredFigures &figures, const ArmFigures &arm);

} // namespace warpwright
