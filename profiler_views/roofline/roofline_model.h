// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/roofline.h"

#include <QAbstractTableModel>

namespace warpwright {

/// A roofline's ceilings and points as rows.
class RooflineModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { What, Name, Intensity, Rate, OfRoof, Basis, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setInput(const RooflineInput &input);
    [[nodiscard]] const std::vector<RooflineCeiling> &ceilings() const { return m_roofline.ceilings; }
    [[nodiscard]] const std::vector<RooflinePoint> &points() const { return m_roofline.points; }
    /// What could not be placed, in sentences.
    [[nodiscard]] const QStringList &remarks() const { return m_roofline.remarks; }
    /// Operations a second that the roof allows at this intensity, by the task's ceiling; none: no ceiling.
    [[nodiscard]] std::optional<double> roofAt(double intensity) const {
        return m_roofline.roofAt(intensity);
    }
    /// "92.7 % of its roof", of a measured time with what its interval allows: "38.0 % (27.4–62.1 %)"; empty:
    /// there is no roof, or the point lies above it (the remarks say so).
    [[nodiscard]] QString ofRoofText(const RooflinePoint &point) const;
    /// How its work was found, in two words: "whole call" by the task's counted work, "GPU counters" of one
    /// kernel in it.
    [[nodiscard]] static QString kindText(const RooflinePoint &point);
    /// "iteration 7, whole call: 1.65 TFLOP/s at 0.42 FLOP/B, 92.7 % of its roof"
    [[nodiscard]] QString sentenceOf(const RooflinePoint &point) const;
    [[nodiscard]] QString toolTipOf(std::size_t point) const;
    /// What the points rest on, and on what device.
    [[nodiscard]] QString origin() const;
    /// The same in a few words, above the chart.
    [[nodiscard]] QString shortOrigin() const;
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool hasPoints(bool areKernels) const;
    [[nodiscard]] QVariant ceilingData(const RooflineCeiling &ceiling, int column, int role) const;
    [[nodiscard]] QVariant pointData(const RooflinePoint &point, int column, int role) const;

    Roofline m_roofline;
    MeasuredFigures m_figures; ///< of the shown check
};

} // namespace warpwright
