// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/lesson/lesson_times_model.h"

#include <QPointF>

namespace warpwright {

struct PlotStop;

/// The picture that closes a lesson: a bar for the time that each step led to, below it what was predicted of
/// it, with their intervals, and a mark where the person has bet. All of a row is counted from the text
/// before as it was timed in the same run, which has a line; rows are of different runs. A step that the text
/// went on without is hollow.
class LessonTimesView : public ChartView {
    Q_OBJECT
public:
    explicit LessonTimesView(const Look &look, QWidget *parent = nullptr);
    ~LessonTimesView() override { deletePlot(); }

    void show(const LessonTimes &times);

signals:
    /// From 1.
    void stepPicked(int number);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    using QWidget::show;
    void layOut();
    [[nodiscard]] QString axisTitle(double left, double right) const; ///< as much of it as there is room for
    [[nodiscard]] double rowTop(std::size_t row) const;
    [[nodiscard]] QRectF barOf(std::size_t row, bool isExpected, double microseconds) const;
    void drawBars(QPainter &painter, const QRectF &area);
    void drawInterval(QPainter &painter, const QRectF &area, const ArmTiming &time, double centre) const;
    void drawBase(QPainter &painter, double x, const QRectF &bar) const;
    void drawWords(QPainter &painter, const QRectF &area);
    void drawKey(QPainter &painter, const QRectF &area) const;
    /// Of each row its lines: the time with the factor that decides, and what became of it.
    [[nodiscard]] std::vector<QStringList> measuredWords() const;
    [[nodiscard]] std::vector<PlotStop> stops() const;

    LessonTimesModel m_times;
    double m_namesWidth = 0;
};

} // namespace warpwright
