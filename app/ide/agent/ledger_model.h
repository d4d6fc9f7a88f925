// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QAbstractTableModel>

namespace warpwright {

/// Expected against measured, a row a proposal.
class LedgerModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Move, Expected, Range, Measured, Outcome, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(const std::vector<LedgerLine> &rows);
    /// Where there is little room the icon alone says what came of it; its word is in the tip, and spoken.
    void setNarrow(bool isNarrow);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool isSecondOfProposal(int row) const;

    std::vector<LedgerLine> m_rows;
    bool m_isNarrow = false;
};

} // namespace warpwright
