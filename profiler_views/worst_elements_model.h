// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

#include <QAbstractTableModel>

namespace warpwright {

/// Where the output differs most from the reference: index, expected, got, error by what is allowed.
class WorstElementsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Index, Expected, Got, ErrorOverAllowed, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setElements(const std::vector<WorstElement> &elements);
    [[nodiscard]] const WorstElement &elementAt(int row) const {
        return m_rows[static_cast<std::size_t>(row)];
    }

    /// Six digits, as float32 has them; a true minus; NaN and infinities as words.
    [[nodiscard]] static QString valueText(double value);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<WorstElement> m_rows;
};

/// "1.3 × 10⁵", "0.75", "1.2": two digits; NaN and infinity as words.
[[nodiscard]] QString ratioText(double ratio);

} // namespace warpwright
