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
    std::vector<int> parents;
    m_best = 0;
    std::optional<Pace> best;
    for (const IterationRecord &record : m_records) {
        const auto parent =
            std::find_if(m_records.begin(), m_records.end(), [&record](const IterationRecord &other) {
                return other.iteration.number == record.iteration.parent;
            });
        parents.push_back(parent == m_records.end() ? -1 : static_cast<int>(parent - m_records.begin()));
        const std::optional<Pace> pace = record.latest ? paceOf(*record.latest) : std::nullopt;
        if (pace && (!best || isFaster(*pace, *best))) {
            best = pace;
            m_best = record.iteration.number;
        }
    }
    m_lanes = lanesOf(parents);
    endResetModel();
}

const IterationRecord *IterationModel::record(const QModelIndex &index) const {
    return index.isValid() && index.row() < rowCount() ? &m_records[static_cast<std::size_t>(index.row())]
                                                       : nullptr;
}

const IterationRecord *IterationModel::byNumber(int number) const {
    return record(indexOf(number));
}

QModelIndex IterationModel::indexOf(int number) const {
    for (int row = 0; row < rowCount(); ++row)
        if (m_records[static_cast<std::size_t>(row)].iteration.number == number)
            return index(row);
    return {};
}

int IterationModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

QVariant IterationModel::data(const QModelIndex &index, int role) const {
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
