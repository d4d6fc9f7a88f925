// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/iteration_choices.h"

namespace warpwright {

bool IterationChoices::set(const SharedTree &tree, int but) {
    const int row = tree->rows.value(but, -1);
    if (tree == m_tree && row == m_but)
        return false;
    beginResetModel();
    m_tree = tree;
    m_but = row;
    endResetModel();
    return true;
}

int IterationChoices::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_tree->records.size()) - (m_but >= 0 ? 1 : 0);
}

int IterationChoices::numberAt(int row) const {
    if (row <= 0 || row >= rowCount())
        return 0;
    int at = static_cast<int>(m_tree->records.size()) - row;
    at -= m_but >= 0 && at <= m_but ? 1 : 0;
    return m_tree->records[static_cast<std::size_t>(at)].iteration.number;
}

int IterationChoices::rowOf(int number) const {
    const int at = m_tree->rows.value(number, -1);
    if (at < 0 || at == m_but)
        return 0;
    return static_cast<int>(m_tree->records.size()) - at - (at < m_but ? 1 : 0);
}

QVariant IterationChoices::data(const QModelIndex &index, int role) const {
    if (role == Qt::UserRole)
        return numberAt(index.row());
    if (role != Qt::DisplayRole)
        return {};
    return index.row() == 0 ? tr("not compared") : tr("against %1").arg(numberAt(index.row()));
}

} // namespace warpwright
