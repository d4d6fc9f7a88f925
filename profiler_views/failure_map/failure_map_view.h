// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/failure_map/failure_map_model.h"
#include "toolchain/failure_map/wrong_element.h"

class QComboBox;
class QLabel;

namespace warpwright {

struct PlotStop;

/// Where a wrong result is wrong: its elements as tiles, coloured by error over what is allowed, NaN hatched;
/// what the errors have in common in a sentence; the selected tile's worst element. Any result of any round,
/// along any two dimensions.
class FailureMapView : public ChartView {
    Q_OBJECT
public:
    explicit FailureMapView(const Look &look, QWidget *parent = nullptr);
    ~FailureMapView() override { deletePlot(); }

    void show(std::vector<FailureMap> maps);
    /// Selects the tile that holds the element, in whichever result and round it is.
    void selectElement(int round, const QString &output, const std::vector<qint64> &index);
    [[nodiscard]] int selectedTile() const { return m_selected; }
    /// The worst element of the selected tile; nothing where none is, or it has nothing wrong.
    [[nodiscard]] std::optional<WrongElement> selectedElement() const;
    [[nodiscard]] const FailureMapModel &failureModel() const { return m_failure; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// A tile was chosen: its worst element.
    void elementActivated(const QString &output, const QString &index);
    /// Another result, round or pair of dimensions is shown: another tile is selected.
    void shownChanged();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Which {
        std::size_t map = 0;
        std::size_t output = 0;
    };
    void fillAxes();
    void follow();
    void restyle();
    void layOut();
    void draw(QPainter &painter);
    void drawTiles(QPainter &painter);
    [[nodiscard]] QRectF filledPart(const QRectF &tile, double share) const;
    void drawBreaks(QPainter &painter);
    void drawLabels(QPainter &painter, bool areRows);
    void drawLegend(QPainter &painter);
    [[nodiscard]] const OutputFailure *output() const;
    [[nodiscard]] QRectF tileRect(int tile) const;
    [[nodiscard]] std::vector<PlotStop> stops() const;

    using QWidget::show;

    FailureMapModel m_failure;
    std::vector<FailureMap> m_maps;
    std::vector<Which> m_which;                               ///< by row of m_result
    std::vector<std::pair<std::size_t, std::size_t>> m_pairs; ///< by row of m_axes
    QComboBox *m_result;
    QComboBox *m_axes;
    QLabel *m_name; ///< of the pattern
    QLabel *m_sentence;
    QRectF m_area; ///< of the tiles
    QRectF m_legend;
    int m_selected = -1;
    bool m_isFilling = false;
};

} // namespace warpwright
