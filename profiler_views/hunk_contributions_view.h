// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/hunk_contributions_model.h"

namespace warpwright {

struct PlotStop;

/// Which hunk of a proposal carries the gain: each alone and all but it, with their intervals, against what
/// the base's own times vary by. Below the chart the sentences that follow from it; each leads to its hunk.
class HunkContributionsView : public ChartView {
    Q_OBJECT
public:
    explicit HunkContributionsView(const Look &look, QWidget *parent = nullptr);
    ~HunkContributionsView() override { deletePlot(); }

    void show(const HunkContributions &contributions);
    [[nodiscard]] const std::vector<ContributionSentence> &sentences() const { return m_sentences; }

signals:
    void hunkPicked(int id);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Sentences;

    void layOut();
    void setHome();
    [[nodiscard]] double rowCentre(std::size_t row) const;
    [[nodiscard]] std::size_t rowCount() const;
    void drawBase(QPainter &painter, const QRectF &area);
    void drawPoints(QPainter &painter, const QRectF &area);
    void drawWords(QPainter &painter, const QRectF &area);
    void drawPoint(QPainter &painter, const TimeDifference &difference, double y, bool isOpen);
    [[nodiscard]] std::vector<PlotStop> stops() const;
    [[nodiscard]] QString toolTipOf(int id) const;

    HunkContributionsModel m_contributions;
    std::vector<ContributionSentence> m_sentences;
    Sentences *m_list;
    double m_namesRight = 0;
    double m_pitch = 26;
};

} // namespace warpwright
