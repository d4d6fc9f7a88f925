// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/sweep_model.h"

class QLabel;
class QScrollArea;

namespace warpwright {

struct PlotStop;

/// What a call takes with other values of the candidate's configs: for each attribute a group of bars from
/// zero, one a value, the text's own filled; times and marks in columns. Below the bars how it was measured,
/// and below all, always in sight, what follows from it. Narrow panes lose the column of shares.
class SweepView : public ChartView {
    Q_OBJECT
public:
    explicit SweepView(const Look &look, QWidget *parent = nullptr);
    ~SweepView() override { deletePlot(); }

    void show(const MeasuredFigures &figures, const StatedConfigs &stated);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void staleChanged() override;

private:
    using QWidget::show;
    class Sentences;
    /// One attribute's rows of the model, and where they are drawn.
    struct Group {
        std::size_t first = 0;
        std::size_t count = 0;
        double top = 0; ///< of its heading, below the upper edge of the axes: the first stands above
    };
    struct Column {
        double width = 0;
        double right = 0; ///< 0: not shown
    };

    void makeGroups();
    void layOut();
    double layOutColumns(double left, double right); ///< where the bars end
    [[nodiscard]] const std::vector<SweptValue> &rows() const { return m_sweep.rows(); }
    [[nodiscard]] double rowCentre(const Group &group, std::size_t row) const;
    void drawBars(QPainter &painter, const QRectF &area);
    void drawRowBar(QPainter &painter, const QRectF &area, const SweptValue &row, double centre);
    void drawWords(QPainter &painter, const QRectF &area);
    void drawRowWords(QPainter &painter, const QRectF &area, const SweptValue &row, double centre);
    [[nodiscard]] std::vector<PlotStop> stops() const;
    [[nodiscard]] QString toolTipOf(int id) const;

    SweepModel m_sweep;
    QScrollArea *m_scroll;
    QWidget *m_column; ///< what scrolls: the plot and the words below it
    QLabel *m_method;
    Sentences *m_sentences;
    std::vector<Group> m_groups; ///< those that are drawn
    std::size_t m_drawnRows = 0;
    Column m_time, m_share, m_mark;
    double m_namesRight = 0;
    double m_pitch = 24;
};

} // namespace warpwright
