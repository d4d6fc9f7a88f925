// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace warpwright {

class Look;

/// Something on a plot that can be pointed at, by mouse or keys.
struct PlotStop {
    QRectF area;    ///< where the mouse hits it, in pixels
    QPointF anchor; ///< where the crosshair meets, in pixels
    int id = 0;     ///< the owner's
};

/// A chart in our look: axes, grid and fonts follow it live; hover and arrow keys show a crosshair and exact
/// values; wheel, drag, + and − zoom, double click, 0 and Home go back. No legend, no OpenGL, no animation.
/// What is drawn is drawn by functions that its owner adds, so that screen, PNG and SVG are the same drawing.
class Plot : public QCustomPlot {
    Q_OBJECT
public:
    Plot(const Look &look, QWidget *parent = nullptr);

    [[nodiscard]] const Look &look() const { return m_look; }

    /// `area`: the rectangle between the axes. Called in order of adding, before the axes or after them. A
    /// painter of an SVG does not clip: draw inside.
    using Drawing = std::function<void(QPainter &painter, const QRectF &area)>;
    void addDrawing(bool isAboveAxes, Drawing drawing);
    /// No drawing is called, whatever asks for a replot: what they draw is gone.
    void setBlank(bool isBlank);

    /// What can be pointed at, asked anew whenever it is needed; `toolTip` of an id: exact values, lines of
    /// plain text, which a screen reader says, too.
    void setStops(std::function<std::vector<PlotStop>()> stops, std::function<QString(int id)> toolTip);
    /// The stops stand in rows of so many: up and down lead to the next row. 1: in one line.
    void setStopsPerRow(int count) { m_stopsPerRow = std::max(1, count); }
    /// Which lines of the crosshair are drawn.
    void setCrosshair(Qt::Orientations lines) { m_crosshair = lines; }
    /// The area of the stop is outlined instead: for drawings that are no chart.
    void setOutlinesStops() { m_outlinesStops = true; }
    /// The place of the one pointed at among the stops; -1: none.
    [[nodiscard]] int currentStop() const { return m_currentStop; }

    /// The ranges that a reset goes back to; sets them now. Zoom and drag work along `zoomed` only.
    void setHome(const QCPRange &x, const QCPRange &y, Qt::Orientations zoomed);
    /// Zooming never moves the lower end of the horizontal axis away from zero.
    void setStartsAtZero(bool startsAtZero) { m_startsAtZero = startsAtZero; }
    [[nodiscard]] bool isZoomed() const;
    void resetZoom();
    void zoom(double factor);

    /// Words of a tick; `step`: the distance between two, for the same decimals on all.
    void setTickText(QCPAxis *axis, std::function<QString(double tick, double step)> text, int count = 5);
    /// A logarithmic axis with ticks at 1, 2, 5, 10 …; `isLog` false: back to setTickText() and a linear one.
    void setTimeAxis(QCPAxis *axis, bool isLog, std::function<QString(double tick, double step)> text,
                     int count = 5);
    /// Ticks at whole numbers only, as many as there is room for.
    void setWholeTicks(QCPAxis *axis);

    /// Writes the picture with `caption` below it. PNG has twice the pixels. Returns what went wrong, or
    /// nothing.
    [[nodiscard]] QString exportPng(const QString &path, const QString &caption);
    [[nodiscard]] QString exportSvg(const QString &path, const QString &caption);

    /// Draws once before it is painted next, however often this was asked for; not at all while hidden.
    void replotLater();

signals:
    /// Clicked, or Enter on the current stop.
    void stopActivated(int id);
    /// Keys have led to this stop; whoever scrolls brings its area into view.
    void stopReached(const QRectF &area);
    /// The owner lays out what depends on fonts and colours.
    void restyled();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void restyle();
    void setCurrentStop(int index);
    void stepTo(int index);
    void activate(int index);
    void drawPointer(QPainter &painter, const QRectF &area);
    [[nodiscard]] int stopAt(const QPointF &position) const;
    void paintFor(QPaintDevice *device, const QSize &size, const QString &caption);

    const Look &m_look;
    std::function<std::vector<PlotStop>()> m_stops;
    std::function<QString(int)> m_toolTip;
    Qt::Orientations m_crosshair = Qt::Horizontal | Qt::Vertical;
    QCPRange m_homeX{0, 1};
    QCPRange m_homeY{0, 1};
    Qt::Orientations m_zoomed;
    bool m_startsAtZero = false;
    bool m_outlinesStops = false;
    bool m_showsFocus = false;
    bool m_isBlank = false;
    bool m_isOld = false; ///< what was drawn last is not what it would be now
    int m_currentStop = -1;
    int m_stopsPerRow = 1;
};

} // namespace warpwright
