// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/iteration_tree.h"

#include <QAbstractListModel>

#include <optional>

namespace warpwright {

/// A shared tree of iterations as rows, and the row of a proposal that waits between them.
class IterationModel : public QAbstractListModel {
    Q_OBJECT
public:
    explicit IterationModel(QObject *parent = nullptr);

    void setTree(SharedTree tree);
    /// A proposal that nobody has answered: a row below the iteration that it is based on.
    struct Ghost {
        int base = 0;
        QString title; ///< "Proposal 7"
        QString note;

        bool operator==(const Ghost &) const = default;
    };
    void setGhost(const std::optional<Ghost> &ghost);
    /// The iteration whose check runs; 0: none. False: it is that one already. `byRun`: an agent's run
    /// measures it.
    bool setChecked(int number, bool byRun = false);
    [[nodiscard]] QString checkWords() const;
    /// Nothing is known of it yet, for its first check runs.
    [[nodiscard]] bool isAwaited(const IterationRecord &record) const {
        return m_checked > 0 && record.iteration.number == m_checked && !record.latest;
    }
    /// Null: that row is an iteration.
    [[nodiscard]] const Ghost *ghostAt(const QModelIndex &index) const;
    [[nodiscard]] const IterationRecord *record(const QModelIndex &index) const;
    [[nodiscard]] const IterationRecord *byNumber(int number) const;
    [[nodiscard]] QModelIndex indexOf(int number) const;
    [[nodiscard]] const IterationTree::Lane &lane(int row) const;
    [[nodiscard]] int best() const { return m_tree->best; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    /// DisplayRole: what a screen reader says of the row.
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    void place();
    /// Where in the tree; -1: it is the ghost's.
    [[nodiscard]] int recordOf(const QModelIndex &index) const;

    SharedTree m_tree;
    std::vector<IterationTree::Lane> m_lanes; ///< by row, while there is a ghost
    std::optional<Ghost> m_ghost;
    int m_ghostRow = -1;
    int m_checked = 0;
    bool m_isByRun = false;
};

} // namespace warpwright
