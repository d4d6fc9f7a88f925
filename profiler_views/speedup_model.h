// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

#include <QAbstractTableModel>

namespace warpwright {

/// The arms of one evaluation as rows: time of a call and how much faster the candidate is; the speed of
/// light comes last.
class SpeedupModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Arm,
        Class,
        Median,
        Low,
        High,
        Factor,
        FactorLow,
        FactorHigh,
        Samples,
        Measured,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setFigures(const MeasuredFigures &figures);
    [[nodiscard]] const MeasuredFigures &figures() const { return m_figures; }

    /// "3.50×" for the arm in this row: from the document where it has the interval, else the medians' ratio.
    [[nodiscard]] QString factorTextAt(int row) const;
    /// Where the time axis ends, in microseconds: an arm much slower than the candidate does not squeeze the
    /// others, its bar runs out of the chart.
    [[nodiscard]] double axisEnd() const;
    /// The chart in sentences.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant lightData(int column, int role) const;

    MeasuredFigures m_figures;
};

} // namespace warpwright
