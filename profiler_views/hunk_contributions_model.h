// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/hunk_contributions.h"

#include <QAbstractTableModel>

namespace warpwright {

/// A row a hunk, and one for all of them.
class HunkContributionsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Hunk, Title, Alone, AloneLow, AloneHigh, AllBut, AllButLow, AllButHigh, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setContributions(const HunkContributions &contributions);
    [[nodiscard]] const HunkContributions &contributions() const { return m_contributions; }
    /// The chart in sentences.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    HunkContributions m_contributions;
};

} // namespace warpwright
