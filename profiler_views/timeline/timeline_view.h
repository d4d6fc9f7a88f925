// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/timeline/timeline_model.h"

class QLabel;
class QScrollArea;

namespace warpwright {

class ActionButton;
struct PlotStop;

/// One call of each arm, one above the other on one scale: the host's operators and calls of CUDA, then each
/// stream (or parallel regions). Idle time is shaded, a line along the lanes marks what the end of the call
/// waits for. Wheel, drag and keys zoom; what is shorter than a pixel is drawn together and counted. Below
/// the chart stands what follows from it.
class TimelineView : public ChartView {
    Q_OBJECT
public:
    explicit TimelineView(const Look &look, QWidget *parent = nullptr);
    ~TimelineView() override { deletePlot(); }

    /// "45.1 µs traced, 88 % of it busy", of the candidate.
    [[nodiscard]] QString headline() const;
    /// None: nothing was traced yet. `checkedMicroseconds`: a call of the candidate's in the check of the
    /// same text on the same device, for the words beside what was traced.
    void show(const std::optional<Timeline> &timeline, std::optional<double> checkedMicroseconds = {});
    /// What brings it, for the empty place. May be null.
    void setTraceAction(QAction *action);

signals:
    /// A kernel or a parallel region was clicked, or Enter pressed on it. `name`: as the compiler tells it,
    /// demangled with its parameters.
    void kernelActivated(const QString &name, const QString &arm);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void staleChanged() override;

private:
    using QWidget::show;
    /// One arm's part of the chart, in pixels below the axes' upper edge.
    struct Part {
        std::size_t arm = 0;
        double top = 0;
        std::size_t firstLane = 0;
        std::size_t lanes = 0;
        double lanesTop = 0;
        double end = 0;
    };
    struct Drawn {
        std::size_t lane = 0;
        TimelineSpan span;
        QRectF area;
    };

    struct DrawnGap {
        std::size_t arm = 0;
        TimelineGap gap;
        QRectF area;
    };

    static constexpr int barHeight = 11;
    static constexpr int gapBelowArm = 10;

    void makeParts();
    void placeLanes();
    void sayWords();
    void layOut();
    void findSpans(const QRectF &area); ///< what is drawn in the range that is shown
    [[nodiscard]] double laneTop(std::size_t lane) const;
    [[nodiscard]] double barTop(std::size_t lane) const;
    [[nodiscard]] double laneHeight(std::size_t lane) const;
    [[nodiscard]] double toX(double microseconds) const;
    void drawGround(QPainter &painter, const QRectF &area);
    void drawGaps(QPainter &painter, const QRectF &area, const Part &part);
    void drawSpans(QPainter &painter, const QRectF &area);
    void drawSpan(QPainter &painter, const Drawn &drawn);
    void drawPath(QPainter &painter, const QRectF &area, const Part &part);
    void drawWords(QPainter &painter, const QRectF &area);
    void drawLegend(QPainter &painter, const QRectF &area);
    [[nodiscard]] std::optional<std::size_t> laneOf(const Part &part, const PathStep &step) const;
    [[nodiscard]] QColor colorOf(const TimelineArm &arm) const;
    [[nodiscard]] std::vector<PlotStop> stops() const;
    [[nodiscard]] QString toolTipOf(int id) const;
    void activate(int id);

    TimelineModel m_model;
    QAction *m_action = nullptr;
    QScrollArea *m_scroll;
    QWidget *m_column; ///< what scrolls: the plot and the words below it
    QLabel *m_words;
    ActionButton *m_more; ///< all words, or few
    std::vector<Part> m_parts;
    std::vector<double> m_laneTops;
    std::vector<Drawn> m_drawn;
    std::vector<DrawnGap> m_gaps; ///< drawn last
    bool m_saysAll = false;
    std::size_t m_together = 0; ///< events that are drawn together with others
    double m_height = 0;
};

} // namespace warpwright
