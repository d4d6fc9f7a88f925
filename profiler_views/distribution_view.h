// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/distribution_model.h"

namespace warpwright {

class ActionButton;
struct PlotStop;

/// The batches behind the candidate's median, block by block, with median and interval, how they are
/// distributed, and the device's clock meanwhile on the same axis; beside it one other live arm.
class DistributionView : public ChartView {
    Q_OBJECT
public:
    explicit DistributionView(const Look &look, QWidget *parent = nullptr);
    ~DistributionView() override { deletePlot(); }

    void show(const MeasuredFigures &figures);
    /// By the document's name; empty: the candidate alone. The next show() picks its own.
    void setOtherArm(const QString &name);
    [[nodiscard]] const QString &otherArm() const { return m_other; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    using QWidget::show;
    void layOut();
    void setHome();
    void chooseOther();
    [[nodiscard]] QStringList shownArms() const;
    [[nodiscard]] QRectF clockArea() const;
    [[nodiscard]] double histogramWidth() const;
    /// A sample outside the shown times.
    struct Straggler {
        QPointF at;
        double microseconds = 0;
        QColor ink;
        bool isCandidate = false;
    };
    void drawStragglers(QPainter &painter, const QRectF &area, std::vector<Straggler> stragglers);
    void drawSamples(QPainter &painter, const QRectF &area);
    void drawHistogram(QPainter &painter, const QRectF &area);
    void drawClock(QPainter &painter, const QRectF &area);
    void drawHead(QPainter &painter, const QRectF &area);
    void drawNames(QPainter &painter, const QRectF &area);
    [[nodiscard]] std::vector<PlotStop> stops() const;

    DistributionModel m_samples;
    ActionButton *m_choice;
    QString m_other;
};

} // namespace warpwright
