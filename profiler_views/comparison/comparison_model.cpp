// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/comparison/comparison_model.h"

#include "profiler_views/value_role.h"

#include <array>

namespace warpwright {
namespace {

using State = ComparisonRow::State;

constexpr quintptr ofGroups = 0;

// Colour repeats what the word or the sign says.
QString tokenOf(const ComparisonRow &row, int column) {
    if (row.state == State::Same || row.state == State::Missing)
        return QStringLiteral("text.tertiary");
    if (column == ComparisonModel::Remark)
        return QStringLiteral("text.tertiary");
    if (column != ComparisonModel::Difference)
        return QStringLiteral("text.primary");
    return row.state == State::Noise || row.state == State::NotComparable
               ? QStringLiteral("verdict.inconclusive")
               : QStringLiteral("text.primary");
}

QString orDash(const QString &text) {
    return text.isEmpty() ? QStringLiteral("–") : text;
}

} // namespace

void ComparisonModel::setComparison(SharedComparison comparison) {
    beginResetModel();
    m_comparison = std::move(comparison);
    m_groups.clear();
    const ComparisonRow *before = nullptr;
    for (std::size_t i = 0; m_comparison && i < m_comparison->rows.size(); ++i) {
        const ComparisonRow &row = m_comparison->rows[i];
        const int at = static_cast<int>(i);
        if (before == nullptr || before->group != row.group || before->kernel != row.kernel)
            m_groups.push_back({at, at, 0, false});
        ++m_groups.back().end;
        m_groups.back().differences += row.isDifference() ? 1 : 0;
        m_groups.back().hasNoise = m_groups.back().hasNoise || row.state == State::Noise;
        before = &row;
    }
    endResetModel();
}

const ComparisonRow *ComparisonModel::rowAt(const QModelIndex &index) const {
    if (!index.isValid() || index.internalId() == ofGroups)
        return nullptr;
    const Group &group = m_groups[index.internalId() - 1];
    return &m_comparison->rows[static_cast<std::size_t>(group.first + index.row())];
}

int ComparisonModel::differences(const QModelIndex &group) const {
    return group.isValid() && group.internalId() == ofGroups
               ? m_groups[static_cast<std::size_t>(group.row())].differences
               : 0;
}

QModelIndex ComparisonModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : ofGroups);
}

QModelIndex ComparisonModel::parent(const QModelIndex &child) const {
    if (!child.isValid() || child.internalId() == ofGroups)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, ofGroups);
}

int ComparisonModel::rowCount(const QModelIndex &parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != ofGroups || parent.column() != 0)
        return 0;
    const Group &group = m_groups[static_cast<std::size_t>(parent.row())];
    return group.end - group.first;
}

int ComparisonModel::columnCount(const QModelIndex &) const {
    return ColumnCount;
}

QVariant ComparisonModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const ComparisonRow *row = rowAt(index);
    return row == nullptr ? groupData(m_groups[static_cast<std::size_t>(index.row())], index.column(), role)
                          : rowData(*row, index.column(), role);
}

QVariant ComparisonModel::groupData(const Group &group, int column, int role) const {
    const ComparisonRow &first = m_comparison->rows[static_cast<std::size_t>(group.first)];
    if (role == EmphasisRole)
        return column == Name;
    if (role == ColorRole && column == Remark)
        return QStringLiteral("text.tertiary");
    const QString title = first.kernel.isEmpty() || first.group == ComparisonRow::Group::Verdict
                              ? groupName(first.group)
                              : QStringLiteral("%1, %2").arg(groupName(first.group), first.kernel);
    const int rows = group.end - group.first;
    const QString counts = group.differences > 0 ? tr("%1 of %2 differ").arg(group.differences).arg(rows)
                           : group.hasNoise      ? stateWord(State::Noise)
                                                 : tr("nothing differs");
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return QStringLiteral("%1: %2").arg(title, counts);
    if (role == Qt::DisplayRole && column == Name)
        return title;
    return role == Qt::DisplayRole && column == Remark ? QVariant(counts) : QVariant();
}

QVariant ComparisonModel::rowData(const ComparisonRow &row, int column, int role) const {
    const bool isNumber = column == Left || column == Right || column == Difference;
    if (role == Qt::TextAlignmentRole)
        return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return row.toolTip();
    if (role == ColorRole)
        return tokenOf(row, column);
    if (role == EmphasisRole)
        return column == Difference && row.isDifference();
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Name:
        return row.section.isEmpty() || row.group != ComparisonRow::Group::Counters
                   ? row.name
                   : QStringLiteral("%1: %2").arg(row.section, row.name);
    case Left:
        return orDash(row.left);
    case Right:
        return orDash(row.right);
    case Difference:
        return row.differenceWords();
    default:
        return row.remarkWords();
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Name || section == Remark ? Qt::AlignLeft : Qt::AlignRight) |
                        Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Left:
        return m_comparison ? m_comparison->left.title : tr("left");
    case Right:
        return m_comparison ? m_comparison->right.title : tr("right");
    case Difference:
        return tr("difference");
    case Remark:
        return tr("remark");
    default:
        return tr("what");
    }
}

ComparisonTable::ComparisonTable(std::vector<const ComparisonRow *> rows, QObject *parent)
    : QAbstractTableModel(parent), m_rows(std::move(rows)) {}

int ComparisonTable::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparisonTable::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ComparisonTable::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != ValueRole))
        return {};
    const ComparisonRow &row = *m_rows[static_cast<std::size_t>(index.row())];
    const auto side = [role](const QString &text, const std::optional<double> &value) {
        return role == ValueRole && value ? QVariant(*value) : QVariant(text);
    };
    switch (index.column()) {
    case Group:
        return groupName(row.group);
    case Kernel:
        return row.kernel;
    case Section:
        return row.section;
    case Name:
        return row.name;
    case Left:
        return side(row.left, row.leftValue);
    case Right:
        return side(row.right, row.rightValue);
    case Unit:
        return row.unit;
    case Difference:
        return row.difference;
    case State:
        return stateWord(row.state);
    case Remark:
        return row.remark;
    default:
        return row.source;
    }
}

QVariant ComparisonTable::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr std::array names{"group", "kernel",     "section", "name",   "left",  "right",
                                      "unit",  "difference", "state",   "remark", "source"};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount ||
        (role != Qt::DisplayRole && role != ValueRole))
        return {};
    return QLatin1String(names[static_cast<std::size_t>(section)]);
}

} // namespace warpwright
