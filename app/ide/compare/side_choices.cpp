// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/side_choices.h"

namespace warpwright {
namespace {

int fixedRows() {
    return 1 + static_cast<int>(comparableArms().size());
}

} // namespace

void SideChoices::setTree(const SharedTree &tree) {
    if (tree == m_tree)
        return;
    beginResetModel();
    m_tree = tree;
    endResetModel();
}

const IterationRecord *SideChoices::recordAt(int row) const {
    const int at = static_cast<int>(m_tree->records.size()) - 1 - (row - fixedRows());
    return row < fixedRows() || at < 0 ? nullptr : &m_tree->records[static_cast<std::size_t>(at)];
}

ComparisonChoice SideChoices::choiceAt(int row) const {
    if (const IterationRecord *record = recordAt(row))
        return ComparisonChoice::ofIteration(record->iteration.number);
    return row > 0 && row < fixedRows() ? ComparisonChoice::ofArm(comparableArms()[row - 1])
                                        : ComparisonChoice();
}

int SideChoices::rowOf(const ComparisonChoice &choice) const {
    if (choice.kind == ComparisonChoice::Kind::Text)
        return 0;
    if (choice.isArm()) {
        const qsizetype arm = comparableArms().indexOf(choice.arm);
        return arm < 0 ? -1 : 1 + static_cast<int>(arm);
    }
    const int at = m_tree->rows.value(choice.iteration, -1);
    return at < 0 ? -1 : fixedRows() + static_cast<int>(m_tree->records.size()) - 1 - at;
}

int SideChoices::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : fixedRows() + static_cast<int>(m_tree->records.size());
}

QVariant SideChoices::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const IterationRecord *record = recordAt(index.row());
    const QString title = choiceAt(index.row()).title();
    if (record == nullptr)
        return title;
    const QString found = QStringLiteral("%1, %2").arg(title, headlineOf(*record));
    return role == Qt::DisplayRole ? found : QStringLiteral("%1\n%2").arg(found, noteOf(*record));
}

} // namespace warpwright
