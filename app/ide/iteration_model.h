// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/iteration.h"

#include <QAbstractListModel>

#include <optional>
#include <vector>

namespace warpwright {

/// The iterations of a workspace by number, each with its place in the tree: which lane it lies in and which
/// lanes pass by.
class IterationModel : public QAbstractListModel {
    Q_OBJECT
public:
    /// What the delegate needs to draw the tree beside a row.
    struct Lane {
        int own = 0;                ///< lane of this row, from 0
        bool hasParent = false;     ///< a line comes from above
        int parentLane = 0;         ///< from this lane
        std::vector<int> passing;   ///< lanes that go through this row
        bool hasChildBelow = false; ///< the own lane goes on

        bool operator==(const Lane &) const = default;
    };

    explicit IterationModel(QObject *parent = nullptr);

    void setRecords(std::vector<IterationRecord> records);
    /// A proposal that nobody has answered: a row below the iteration that it is based on.
    struct Ghost {
        int base = 0;
        QString title; ///< "Proposal 7"
        QString note;

        bool operator==(const Ghost &) const = default;
    };
    void setGhost(const std::optional<Ghost> &ghost);
    /// Null: that row is an iteration.
    [[nodiscard]] const Ghost *ghostAt(const QModelIndex &index) const;
    [[nodiscard]] const std::vector<IterationRecord> &records() const { return m_records; }
    [[nodiscard]] const IterationRecord *record(const QModelIndex &index) const;
    [[nodiscard]] const IterationRecord *byNumber(int number) const;
    [[nodiscard]] QModelIndex indexOf(int number) const;
    [[nodiscard]] const Lane &lane(int row) const { return m_lanes[static_cast<std::size_t>(row)]; }
    /// The number with the highest headline speed-up among those that pass; 0: none.
    [[nodiscard]] int best() const { return m_best; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    /// DisplayRole: what a screen reader says of the row.
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    void place();
    [[nodiscard]] int rowOf(std::size_t record) const;

    std::vector<IterationRecord> m_records;
    std::vector<Lane> m_lanes; ///< by row
    std::optional<Ghost> m_ghost;
    int m_ghostRow = -1;
    int m_best = 0;
};

/// The lanes of a tree given as parents by row (−1: a root): a child continues its parent's lane if it is the
/// last of its children, else it opens one to the right.
[[nodiscard]] std::vector<IterationModel::Lane> lanesOf(const std::vector<int> &parentRows);

/// "3.50×", or the verdict's word: what a row says first.
[[nodiscard]] QString headlineOf(const IterationRecord &record);

} // namespace warpwright
