// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/iteration_model.h"

#include "toolchain/evaluation/pace_text.h"
#include "toolchain/history/best_iteration.h"

#include <utility>

namespace warpwright {

IterationModel::IterationModel(QObject *parent) : QAbstractListModel(parent), m_tree(makeIterationTree({})) {}

void IterationModel::setTree(SharedTree tree) {
    beginResetModel();
    m_tree = std::move(tree);
    place();
    endResetModel();
}

void IterationModel::setGhost(const std::optional<Ghost> &ghost) {
    if (ghost == m_ghost)
        return;
    // In its place only its words change; else whoever shows the rows keeps what is selected.
    const bool staysThere = ghost && m_ghost && ghost->base == m_ghost->base && m_ghostRow >= 0;
    if (!staysThere && m_ghostRow >= 0) {
        beginRemoveRows({}, m_ghostRow, m_ghostRow);
        m_ghost.reset();
        place();
        endRemoveRows();
    }
    if (!staysThere && ghost && m_tree->rows.contains(ghost->base)) {
        const int row = m_tree->rows.value(ghost->base) + 1;
        beginInsertRows({}, row, row);
        m_ghost = ghost;
        place();
        endInsertRows();
    }
    m_ghost = ghost;
    if (rowCount() > 0) // the lanes beside it
        emit dataChanged(index(0), index(rowCount() - 1));
}

QString IterationModel::checkWords() const {
    return m_isByRun ? tr("being measured by the run") : tr("its check is running");
}

bool IterationModel::setChecked(int number, bool byRun) {
    const int before = std::exchange(m_checked, number);
    if (std::exchange(m_isByRun, byRun) == byRun && before == number)
        return false;
    for (const int changed : {before, number})
        if (const QModelIndex row = indexOf(changed); row.isValid())
            emit dataChanged(row, row);
    return true;
}

// Which row is which, and the lanes between them.
void IterationModel::place() {
    m_ghostRow = m_ghost && m_tree->rows.contains(m_ghost->base) ? m_tree->rows.value(m_ghost->base) + 1 : -1;
    m_lanes.clear();
    if (m_ghostRow < 0)
        return; // they are the tree's own
    std::vector<int> parents = m_tree->parents;
    for (int &parent : parents)
        parent += parent >= m_ghostRow ? 1 : 0;
    parents.insert(parents.begin() + m_ghostRow, m_ghostRow - 1);
    m_lanes = lanesOf(parents);
}

const IterationTree::Lane &IterationModel::lane(int row) const {
    return (m_ghostRow < 0 ? m_tree->lanes : m_lanes)[static_cast<std::size_t>(row)];
}

int IterationModel::recordOf(const QModelIndex &index) const {
    if (!index.isValid() || index.row() >= rowCount() || index.row() == m_ghostRow)
        return -1;
    return m_ghostRow >= 0 && index.row() > m_ghostRow ? index.row() - 1 : index.row();
}

const IterationRecord *IterationModel::record(const QModelIndex &index) const {
    const int at = recordOf(index);
    return at < 0 ? nullptr : &m_tree->records[static_cast<std::size_t>(at)];
}

const IterationModel::Ghost *IterationModel::ghostAt(const QModelIndex &index) const {
    return index.isValid() && m_ghostRow >= 0 && index.row() == m_ghostRow ? &*m_ghost : nullptr;
}

Qt::ItemFlags IterationModel::flags(const QModelIndex &index) const {
    // A proposal is looked at in the editor; here it is only said where it would stand.
    return ghostAt(index) != nullptr ? Qt::ItemNeverHasChildren : QAbstractListModel::flags(index);
}

const IterationRecord *IterationModel::byNumber(int number) const {
    return m_tree->byNumber(number);
}

QModelIndex IterationModel::indexOf(int number) const {
    const int row = m_tree->rows.value(number, -1);
    return row < 0 ? QModelIndex() : index(m_ghostRow >= 0 && row >= m_ghostRow ? row + 1 : row);
}

int IterationModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_tree->records.size()) + (m_ghostRow >= 0 ? 1 : 0);
}

QVariant IterationModel::data(const QModelIndex &index, int role) const {
    if (const Ghost *ghost = ghostAt(index); ghost != nullptr)
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole || role == Qt::ToolTipRole
                   ? QVariant(tr("%1, proposed on iteration %2: %3")
                                  .arg(ghost->title, QString::number(ghost->base), ghost->note))
                   : QVariant();
    const int at = recordOf(index);
    if (at < 0)
        return {};
    const QString words = isAwaited(m_tree->records[static_cast<std::size_t>(at)])
                              ? tr("Iteration %1, %2")
                                    .arg(m_tree->records[static_cast<std::size_t>(at)].iteration.number)
                                    .arg(checkWords())
                              : m_tree->words[static_cast<std::size_t>(at)];
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return words;
    if (role == Qt::ToolTipRole) {
        const IterationRecord &found = m_tree->records[static_cast<std::size_t>(at)];
        QString text = words;
        if (found.latest && !paceText(*found.latest).isEmpty())
            text += QLatin1Char('\n') +
                    (m_tree->best == found.iteration.number
                         ? tr("Best with %1: %2. %3")
                               .arg(paceText(*found.latest), whatBestMeans(),
                                    notToldApartText(bestOf(m_tree->records)))
                               .trimmed()
                         : tr("%1; by the speed-up the best is found").arg(paceWithEager(*found.latest)));
        if (found.latest && !found.latest->doubts.isEmpty())
            text += QLatin1Char('\n') + found.latest->doubts.join(QLatin1Char('\n'));
        return found.problem.isEmpty() ? text : text + QLatin1Char('\n') + found.problem;
    }
    return {};
}

} // namespace warpwright
