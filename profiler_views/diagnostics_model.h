// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/compiler_diagnostics.h"

#include <QAbstractTableModel>

namespace warpwright {

/// What the tools complain of, worst first, then by file and line; each with its place.
class DiagnosticsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Message, Place, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setDiagnostics(const std::vector<Diagnostic> &diagnostics);
    [[nodiscard]] const Diagnostic &diagnosticAt(int row) const {
        return m_rows[static_cast<std::size_t>(row)];
    }
    /// "1 error, 2 warnings"
    [[nodiscard]] QString counts() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Diagnostic> m_rows;
};

} // namespace warpwright
