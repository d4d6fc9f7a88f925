// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/iteration_model.h"

#include "profiler_views/verdict_look.h"
#include "toolchain/figures.h"

#include <QCoreApplication>

namespace warpwright {

std::vector<IterationModel::Lane> lanesOf(const std::vector<int> &parentRows) {
    const int count = static_cast<int>(parentRows.size());
    std::vector<int> lastChild(parentRows.size(), -1);
    for (int row = 0; row < count; ++row)
        if (parentRows[static_cast<std::size_t>(row)] >= 0)
            lastChild[static_cast<std::size_t>(parentRows[static_cast<std::size_t>(row)])] = row;
    std::vector<IterationModel::Lane> lanes(parentRows.size());
    std::vector<int> endOfLane; // the row at which a lane becomes free again
    for (int row = 0; row < count; ++row) {
        auto &lane = lanes[static_cast<std::size_t>(row)];
        const int parent = parentRows[static_cast<std::size_t>(row)];
        lane.hasParent = parent >= 0;
        const bool continues = lane.hasParent && lastChild[static_cast<std::size_t>(parent)] == row;
        if (lane.hasParent)
            lane.parentLane = lanes[static_cast<std::size_t>(parent)].own;
        if (continues) {
            lane.own = lane.parentLane;
        } else {
            std::size_t free = 0;
            while (free < endOfLane.size() && endOfLane[free] >= row)
                ++free;
            if (free == endOfLane.size())
                endOfLane.push_back(-1);
            lane.own = static_cast<int>(free);
        }
        auto &end = endOfLane[static_cast<std::size_t>(lane.own)];
        const int last = lastChild[static_cast<std::size_t>(row)];
        end = std::max({end, row, last});
        lane.hasChildBelow = last > row;
    }
    // A lane passes a row between a parent and its last child.
    for (int row = 0; row < count; ++row) {
        const int last = lastChild[static_cast<std::size_t>(row)];
        const int own = lanes[static_cast<std::size_t>(row)].own;
        for (int between = row + 1; between < last; ++between)
            if (lanes[static_cast<std::size_t>(between)].own != own)
                lanes[static_cast<std::size_t>(between)].passing.push_back(own);
    }
    return lanes;
}

QString headlineOf(const IterationRecord &record) {
    if (!record.latest)
        return record.problem.isEmpty() ? lookOf(Verdict::NotRun).word
                                        : QCoreApplication::translate("IterationModel", "Unreadable");
    const EvaluationSummary &summary = *record.latest;
    if (summary.verdict == Verdict::Pass && summary.sameClass)
        return factorText(summary.sameClass->value, summary.sameClass->low, summary.sameClass->high).value;
    return lookOf(summary.verdict).word;
}

IterationModel::IterationModel(QObject *parent) : QAbstractListModel(parent) {}

void IterationModel::setRecords(std::vector<IterationRecord> records) {
    beginResetModel();
    m_records = std::move(records);
    m_best = 0;
    std::optional<Pace> best;
    for (const IterationRecord &record : m_records) {
        const std::optional<Pace> pace = record.latest ? paceOf(*record.latest) : std::nullopt;
        if (pace && (!best || isFaster(*pace, *best))) {
            best = pace;
            m_best = record.iteration.number;
        }
    }
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
    const auto base =
        std::find_if(m_records.begin(), m_records.end(), [&ghost](const IterationRecord &record) {
            return ghost && record.iteration.number == ghost->base;
        });
    if (!staysThere && ghost && base != m_records.end()) {
        const int row = static_cast<int>(base - m_records.begin()) + 1;
        beginInsertRows({}, row, row);
        m_ghost = ghost;
        place();
        endInsertRows();
    }
    m_ghost = ghost;
    if (rowCount() > 0) // the lanes beside it
        emit dataChanged(index(0), index(rowCount() - 1));
}

int IterationModel::rowOf(std::size_t record) const {
    const int row = static_cast<int>(record);
    return m_ghostRow >= 0 && row >= m_ghostRow ? row + 1 : row;
}

// Which row is which, and the lanes between them.
void IterationModel::place() {
    m_ghostRow = -1;
    for (std::size_t i = 0; m_ghost && i < m_records.size(); ++i)
        if (m_records[i].iteration.number == m_ghost->base)
            m_ghostRow = static_cast<int>(i) + 1;
    std::vector<int> parents;
    for (const IterationRecord &record : m_records) {
        const auto parent =
            std::find_if(m_records.begin(), m_records.end(), [&record](const IterationRecord &other) {
                return other.iteration.number == record.iteration.parent;
            });
        parents.push_back(
            parent == m_records.end() ? -1 : rowOf(static_cast<std::size_t>(parent - m_records.begin())));
    }
    if (m_ghostRow >= 0)
        parents.insert(parents.begin() + m_ghostRow, m_ghostRow - 1);
    m_lanes = lanesOf(parents);
}

const IterationRecord *IterationModel::record(const QModelIndex &index) const {
    if (!index.isValid() || index.row() >= rowCount() || index.row() == m_ghostRow)
        return nullptr;
    const int at = m_ghostRow >= 0 && index.row() > m_ghostRow ? index.row() - 1 : index.row();
    return &m_records[static_cast<std::size_t>(at)];
}

const IterationModel::Ghost *IterationModel::ghostAt(const QModelIndex &index) const {
    return index.isValid() && m_ghostRow >= 0 && index.row() == m_ghostRow ? &*m_ghost : nullptr;
}

Qt::ItemFlags IterationModel::flags(const QModelIndex &index) const {
    // A proposal is looked at in the editor; here it is only said where it would stand.
    return ghostAt(index) != nullptr ? Qt::ItemNeverHasChildren : QAbstractListModel::flags(index);
}

const IterationRecord *IterationModel::byNumber(int number) const {
    return record(indexOf(number));
}

QModelIndex IterationModel::indexOf(int number) const {
    for (std::size_t i = 0; i < m_records.size(); ++i)
        if (m_records[i].iteration.number == number)
            return index(rowOf(i));
    return {};
}

int IterationModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_records.size()) + (m_ghostRow >= 0 ? 1 : 0);
}

QVariant IterationModel::data(const QModelIndex &index, int role) const {
    if (const Ghost *ghost = ghostAt(index); ghost != nullptr)
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole || role == Qt::ToolTipRole
                   ? QVariant(tr("%1, proposed on iteration %2: %3")
                                  .arg(ghost->title, QString::number(ghost->base), ghost->note))
                   : QVariant();
    const IterationRecord *found = record(index);
    if (found == nullptr)
        return {};
    const QString words =
        tr("%1, %2, %3, by %4")
            .arg(QString::number(found->iteration.number), headlineOf(*found), found->iteration.note,
                 found->iteration.author.name.isEmpty() ? authorKindName(found->iteration.author.kind)
                                                        : found->iteration.author.name);
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return words;
    if (role == Qt::ToolTipRole) {
        QString text = words;
        if (found->latest && !found->latest->doubts.isEmpty())
            text += QLatin1Char('\n') + found->latest->doubts.join(QLatin1Char('\n'));
        return found->problem.isEmpty() ? text : text + QLatin1Char('\n') + found->problem;
    }
    return {};
}

} // namespace warpwright
