// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/speedup_model.h"

class QScrollArea;

namespace warpwright {

struct PlotStop;
class TrustRow;

/// The time of a call of each arm as bars from zero, with intervals, the speed of light as a dashed line, the
/// numbers in columns at the right, and below how far they can be trusted. Narrow panes lose columns from the
/// right of importance: class, interval, factor; the median stays.
class SpeedupView : public ChartView {
    Q_OBJECT
public:
    explicit SpeedupView(const Look &look, QWidget *parent = nullptr);
    ~SpeedupView() override { deletePlot(); }

    void show(const MeasuredFigures &figures);
    [[nodiscard]] TrustRow &trustRow() const { return *m_trust; }
    /// What the columns at the right show now, for tests: "median", "95 % interval", ...
    [[nodiscard]] QStringList shownColumns() const;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void staleChanged() override;

private:
    struct Column {
        QString head;
        QStringList cells;
        double width = 0;
        double right = 0; ///< where its text ends; 0: not shown
        int rank = 0;     ///< the lower, the longer it stays
        bool isStrong = false;
        QString unit = {}; ///< behind its head
    };

    void layOut();
    void makeColumns();
    [[nodiscard]] double rowCentre(std::size_t row) const;
    void drawBars(QPainter &painter, const QRectF &area);
    void drawWords(QPainter &painter, const QRectF &area);
    [[nodiscard]] std::vector<PlotStop> stops() const;
    [[nodiscard]] QString toolTipOf(int id) const;

    using QWidget::show;

    SpeedupModel m_speedups;
    QScrollArea *m_scroll;
    TrustRow *m_trust;
    std::vector<Column> m_columns;
    double m_namesRight = 0;
    double m_pitch = 28;
};

} // namespace warpwright
