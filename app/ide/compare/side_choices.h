// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/iteration_tree.h"
#include "toolchain/comparison/comparison_choice.h"

#include <QAbstractListModel>

namespace warpwright {

/// What may stand on a side of a comparison, for a combo box: the text, the usual baselines, then the
/// iterations, the newest first. Makes no row before it is looked at.
class SideChoices : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setTree(const SharedTree &tree);
    [[nodiscard]] ComparisonChoice choiceAt(int row) const;
    /// -1: it is none of them.
    [[nodiscard]] int rowOf(const ComparisonChoice &choice) const;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] const IterationRecord *recordAt(int row) const;

    SharedTree m_tree = makeIterationTree({});
};

} // namespace warpwright
