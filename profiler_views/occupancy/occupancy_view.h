// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/occupancy/occupancy_model.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QSlider;
class QVBoxLayout;

namespace warpwright {

class ActionButton;

/// A kernel whose launch can be asked about.
struct OccupancyKernel {
    QString name;         ///< short
    QString architecture; ///< it was compiled for: "sm_90a"
    BlockNeeds needs;
    QString basis; ///< where the block's size comes from: "512 threads as launched", "256 threads assumed"

    bool operator==(const OccupancyKernel &) const = default;
};

/// How many warps an SM would hold: a curve for each number of a launch, with the present point,
/// and sliders that show what another number would buy. From the compile report alone, for any architecture
/// with numbers; registers on another one are those of this compile, and it says so.
class OccupancyView : public ChartView {
    Q_OBJECT
public:
    explicit OccupancyView(const Look &look, QWidget *parent = nullptr);
    ~OccupancyView() override { deletePlot(); }

    /// The one that a person chose stays chosen; else the first one is.
    void show(const std::vector<OccupancyKernel> &kernels);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void staleChanged() override;

private:
    struct Slider {
        QLabel *name = nullptr;
        QSlider *slider = nullptr;
        QLabel *value = nullptr;
    };
    void makeSliders(QVBoxLayout &below);
    void ask(bool isAnotherLaunch);
    void follow();
    void layOut();
    void restyle();
    void draw(QPainter &painter);
    void drawCurve(QPainter &painter, OccupancyModel::Curve curve, const QRectF &area);
    void drawAt(QPainter &painter, OccupancyModel::Curve curve, const QRectF &area, bool isNow);
    void drawNumbers(QPainter &painter, OccupancyModel::Curve curve, const QRectF &area);
    [[nodiscard]] QRectF areaOf(OccupancyModel::Curve curve) const;
    [[nodiscard]] double xOf(OccupancyModel::Curve curve, int value) const;
    [[nodiscard]] double yOf(OccupancyModel::Curve curve, int warps) const;
    [[nodiscard]] const OccupancyKernel *kernel() const;

    using QWidget::show;

    OccupancyModel m_occupancy;
    std::vector<OccupancyKernel> m_kernels;
    QComboBox *m_kernel;
    QComboBox *m_architecture;
    ActionButton *m_reset;
    QLabel *m_verdict;
    QLabel *m_basis;
    QScrollArea *m_scroll;
    QWidget *m_below = nullptr; ///< what scrolls: words, sliders, curves
    std::array<Slider, OccupancyModel::CurveCount> m_sliders;
    std::array<QRectF, OccupancyModel::CurveCount> m_areas;
    bool m_isChosen = false; ///< the kernel, by a person
    bool m_isFilling = false;
};

} // namespace warpwright
