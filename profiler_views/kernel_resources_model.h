// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/inspect/occupancy.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <QAbstractTableModel>
#include <QHash>

#include <optional>

namespace warpwright {

/// What each kernel takes of an SM, as ptxas says it, and how that differs from another
/// evaluation. Spilled registers are flagged with icon and colour.
class KernelResourcesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Those that are looked at first come first: a narrow pane shows no more.
    enum Column { Kernel, Registers, Spill, Shared, Occupied, MaxThreads, Stack, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// `before`: of the evaluation that this one is held against; kernels are matched by their names as a
    /// person reads them, for nvcc puts a hash of the file into the mangled ones.
    void setKernels(const std::vector<KernelResources> &kernels,
                    const std::vector<KernelResources> &before = {});
    /// The launch bound of each kernel by its name, as its code has it; 0: none is written. Before that the
    /// kernel's own report counts, where it has one: of a kernel of which neither knows is told, with a «≤»,
    /// for how many threads its registers suffice.
    void setLaunchBounds(const QHash<QString, int> &bounds);
    [[nodiscard]] const KernelResources &kernelAt(int row) const {
        return m_rows[static_cast<std::size_t>(row)].now;
    }
    /// "sm_90a", where all kernels are for one.
    [[nodiscard]] QString architecture() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        KernelResources now;
        std::optional<KernelResources> before;
    };
    [[nodiscard]] std::optional<int> knownBound(const Row &row) const;
    [[nodiscard]] int launchBound(const Row &row) const { return knownBound(row).value_or(0); }
    [[nodiscard]] QString threadsWords(const Row &row) const;
    /// Of each size of block worth looking at, or of the launch bound; empty: nothing is known of the chip.
    [[nodiscard]] std::vector<Occupancy> occupancies(const Row &row) const;
    [[nodiscard]] QString occupancyText(const Row &row) const;
    [[nodiscard]] QString occupancyWords(const Row &row) const;

    std::vector<Row> m_rows;
    QHash<QString, int> m_bounds;
};

} // namespace warpwright
