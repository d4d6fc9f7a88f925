// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/state_comparison.h"

#include <QAbstractItemModel>
#include <QAbstractTableModel>

namespace warpwright {

/// Two states beside each other as a tree: a group of rows for verdict, times, findings, and for each kernel
/// its resources, SASS and counters; below it the rows, in the order in which they come.
class ComparisonModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Left, Right, Difference, Remark, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    void setComparison(SharedComparison comparison);
    [[nodiscard]] const SharedComparison &comparison() const { return m_comparison; }
    /// Null: a group.
    [[nodiscard]] const ComparisonRow *rowAt(const QModelIndex &index) const;
    /// Of a group: how many of its rows differ; 0: none.
    [[nodiscard]] int differences(const QModelIndex &group) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// Rows of the comparison, from `first` to before `end`.
    struct Group {
        int first = 0;
        int end = 0;
        int differences = 0;
        bool hasNoise = false; ///< of a row it is not known whether it differs
    };
    [[nodiscard]] QVariant groupData(const Group &group, int column, int role) const;
    [[nodiscard]] QVariant rowData(const ComparisonRow &row, int column, int role) const;

    SharedComparison m_comparison;
    std::vector<Group> m_groups;
};

/// Chosen rows of a comparison as a flat table with unrounded values: what a CSV takes.
class ComparisonTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Group,
        Kernel,
        Section,
        Name,
        Left,
        Right,
        Unit,
        Difference,
        State,
        Remark,
        Source,
        ColumnCount
    };

    /// The rows outlive it.
    explicit ComparisonTable(std::vector<const ComparisonRow *> rows, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<const ComparisonRow *> m_rows;
};

} // namespace warpwright
