// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/iteration_tree.h"

#include <QAbstractListModel>

namespace warpwright {

/// What an iteration may be held against, for a combo box: nothing, or one of the others, the newest first.
/// Makes no row before it is looked at: a history of ten thousand is set in no time.
class IterationChoices : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    /// `but`: number of the one that is not offered. False: nothing has changed.
    bool set(const SharedTree &tree, int but);
    /// 0: nothing.
    [[nodiscard]] int numberAt(int row) const;
    /// 0, which is «nothing», for one that is not offered.
    [[nodiscard]] int rowOf(int number) const;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    SharedTree m_tree = makeIterationTree({});
    int m_but = -1; ///< row in the tree; -1: none
};

} // namespace warpwright
