// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/heat/heat.h"

#include <QAbstractTableModel>

namespace warpwright {

/// The lines of a text that have samples, hottest first: of all its kernels, or of one.
class HotLinesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Share,
        Place,
        Source,
        Reason, ///< what most of its warps waited for
        Samples,
        Executed,
        Threads,    ///< at work in a warp
        Sectors,    ///< of global memory, over those that would do
        Wavefronts, ///< the same of shared memory
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// `kernel`: number in `heat`; -1: all.
    void setHeat(SharedHeat heat, int kernel);
    [[nodiscard]] const HeatLine &line(int row) const { return *m_lines[static_cast<std::size_t>(row)]; }
    /// Samples that the shares are of.
    [[nodiscard]] double samples() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant valueOf(const HeatLine &line, int column) const;
    [[nodiscard]] QString textOf(const HeatLine &line, int column) const;

    SharedHeat m_heat;
    int m_kernel = -1;
    std::vector<const HeatLine *> m_lines; ///< in m_heat
};

} // namespace warpwright
