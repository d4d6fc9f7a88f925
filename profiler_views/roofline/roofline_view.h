// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/roofline/names_place.h"
#include "profiler_views/roofline/roofline_model.h"
#include "profiler_views/roofline/roofline_places.h"

namespace warpwright {

/// Operations a second over operations a byte, both logarithmic: the ceilings that were measured as roofs,
/// iterations as points with a trail, baselines and kernels as points of their own, named in a list that
/// covers none of them. After an edit what is of the text before turns grey; the roofs, torch and earlier
/// iterations are what they were.
class RooflineView : public ChartView {
    Q_OBJECT
public:
    explicit RooflineView(const Look &look, QWidget *parent = nullptr);
    ~RooflineView() override { deletePlot(); }

    void show(const RooflineInput &input);
    /// "iteration 7: 1.65 TFLOP/s at 0.42 FLOP/B, 92.7 % of its roof", of the shown text; empty: it has no
    /// place.
    [[nodiscard]] QString headline() const;
    /// The list of names and the chart beside it, as they are laid out, in pixels of the plot.
    [[nodiscard]] const NamesPlace &namesPlace() const { return m_place; }
    /// What the list kept off, as long as it took nothing from the chart.
    [[nodiscard]] const ChartObstacles &obstacles() const { return m_obstacles; }
    /// Where the plot has its numbers now.
    [[nodiscard]] RooflineFrame frame() const;

signals:
    void iterationPicked(int number);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Name {
        std::size_t point = 0;
        QString label;
        QString kind; ///< ", whole call"; empty: all of the list are the same
        QString value;
        QString shortValue;
    };
    struct NameWidths {
        double label = 0;
        double labelAndKind = 0;
        double value = 0;
        double shortValue = 0;
    };
    void layOut();
    void setHome();
    /// The shown one first, then torch's and the kernels.
    [[nodiscard]] std::vector<Name> names() const;
    [[nodiscard]] NameWidths widthsOf(const std::vector<Name> &names) const;
    [[nodiscard]] RooflineFrame frameOf(const QRect &area) const;
    [[nodiscard]] bool isOfEditedText(const RooflinePoint &point) const;
    void drawNumbers(QPainter &painter, const QRectF &area);
    void drawRoofs(QPainter &painter, const QRectF &area);
    void drawRoofWords(QPainter &painter);
    void drawPoints(QPainter &painter);
    void drawNames(QPainter &painter, const QRectF &area);
    void drawPoint(QPainter &painter, const RooflinePoint &point, const QPointF &at);
    [[nodiscard]] QPointF placeOf(const RooflinePoint &point) const;
    /// The points that have names, the shown one first.
    [[nodiscard]] static bool isListed(const RooflinePoint &point);
    [[nodiscard]] std::vector<std::size_t> named() const;

    using QWidget::show;

    RooflineModel m_roofline;
    RooflinePlaces m_places;   ///< of its points
    std::vector<Name> m_names; ///< of its points
    double m_unit = 1e12;      ///< of the vertical axis, in FLOP/s
    QString m_unitName;
    NamesPlace m_place;
    ChartObstacles m_obstacles;
    std::vector<RoofWord> m_words; ///< in the present frame
};

} // namespace warpwright
