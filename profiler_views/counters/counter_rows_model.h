// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counter_rows.h"

#include <QAbstractTableModel>

namespace warpwright {

/// The sections of one launch as a table: what the cards draw, and what the CSV holds.
class CounterRowsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Section, Label, Value, Unit, Baseline, Change, Metric, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setLaunch(const CountedLaunch &launch, const CountedLaunch &baseline);
    [[nodiscard]] const CountedLaunch &launch() const { return m_launch; }
    [[nodiscard]] const CountedLaunch &baseline() const { return m_baseline; }
    [[nodiscard]] const std::vector<CounterRow> &rows() const { return m_rows; }
    /// Which launch, of what, measured how; with the baseline's name and what its differences are worth.
    [[nodiscard]] QString origin() const;
    /// What differences are worth: "one measurement each, no spread …"; empty without a baseline.
    [[nodiscard]] QString worth() const;
    /// The sections in sentences.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    CountedLaunch m_launch;
    CountedLaunch m_baseline;
    std::vector<CounterRow> m_rows;
};

} // namespace warpwright
