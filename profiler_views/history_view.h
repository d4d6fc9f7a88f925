// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/history_model.h"

#include <utility>

namespace warpwright {

struct PlotStop;

/// The time of a call over the iterations: a point each, shaped by its author, the best so far as a step
/// line, failures on a rail above with the icon of their verdict, lines for what they are held against.
class HistoryView : public ChartView {
    Q_OBJECT
public:
    explicit HistoryView(const Look &look, QWidget *parent = nullptr);
    ~HistoryView() override { deletePlot(); }

    void show(const std::vector<HistoryPoint> &points, const HistoryLines &lines);
    /// The iteration that all panes show; it has a ring. 0: none.
    void setCurrent(int number);

signals:
    void iterationPicked(int number);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Line {
        double microseconds;
        QString word;
        const char *token;
        bool isSpeedOfLight;
        bool isTarget;
    };

    using QWidget::show;
    void layOut();
    /// Of all times that are to be seen.
    [[nodiscard]] std::pair<double, double> extent() const;
    void setHome(double low, double high);
    [[nodiscard]] std::vector<Line> lines() const;
    [[nodiscard]] bool hasRail() const;
    [[nodiscard]] bool hasLegend() const;
    [[nodiscard]] bool hasWordsAtRight() const;
    [[nodiscard]] double railY() const;
    [[nodiscard]] QPointF placeOf(const HistoryPoint &point) const;
    void drawLines(QPainter &painter, const QRectF &area);
    void drawPoints(QPainter &painter, const QRectF &area);
    void drawAround(QPainter &painter, const QRectF &area);
    void drawLineWords(QPainter &painter, const QRectF &area);
    /// What a word inside the plot should not hide.
    [[nodiscard]] std::vector<QRectF> pointRects(const QRectF &area) const;
    [[nodiscard]] std::vector<PlotStop> stops() const;

    HistoryModel m_history;
    int m_current = 0;
    bool m_isLog = false; ///< the times are far apart
};

} // namespace warpwright
