// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

#include <QAbstractTableModel>

namespace warpwright {

/// The batches behind the medians: one row a block of an arm, with its time and the clock meanwhile.
class DistributionModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Block, Arm, Time, Calls, Start, Megahertz, SlowedBy, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setFigures(const MeasuredFigures &figures);
    [[nodiscard]] const MeasuredFigures &figures() const { return m_figures; }

    /// The arms that were measured live, other than the candidate, in display order.
    [[nodiscard]] QStringList otherArms() const;
    /// The other arm to show first: the candidate's own baseline where it was live and is near; empty: none.
    [[nodiscard]] QString firstOtherArm() const;
    [[nodiscard]] std::vector<BlockFigures> blocksOf(const QString &arm) const;
    [[nodiscard]] int lastBlock() const;

    /// How many of these times fall into each of `count` equal bins between `low` and `high`; what lies
    /// outside is counted nowhere.
    [[nodiscard]] static std::vector<int> histogram(const std::vector<BlockFigures> &blocks, double low,
                                                    double high, int count);
    /// The times that a chart should show, in microseconds: all, but for stragglers far above the rest.
    struct Range {
        double low = 0, high = 1;
        bool operator==(const Range &) const = default;
    };
    [[nodiscard]] Range range(const QStringList &arms) const;
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] const ClockReading *clockAt(const BlockFigures &block) const;

    MeasuredFigures m_figures;
};

} // namespace warpwright
