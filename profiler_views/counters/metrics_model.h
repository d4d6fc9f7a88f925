// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counter_rows.h"

#include <QAbstractTableModel>

namespace warpwright {

/// Every metric that was kept of a launch, by the tool's own names, with the baseline's.
class MetricsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Unit: the tool's, for the CSV; values that are shown carry their own.
    enum Column { Metric, Value, Unit, Baseline, Change, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setLaunch(const CountedLaunch &launch, const CountedLaunch &baseline);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString name;
        CounterValue now;
        std::optional<CounterValue> before;
    };
    CountedLaunch m_launch; ///< keeps what the ranges are asked of
    CountedLaunch m_baseline;
    std::vector<Row> m_rows;
};

} // namespace warpwright
