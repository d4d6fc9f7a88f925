// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/history_model.h"

#include "profiler_views/value_role.h"
#include "profiler_views/verdict_look.h"
#include "toolchain/history/best_iteration.h"

#include <array>
#include <cmath>

namespace warpwright {

VerdictLook HistoryPoint::look() const {
    return lookOf(verdict, isUnexercised ? std::optional(Unexercised()) : std::nullopt);
}

EvaluationSummary HistoryPoint::summary() const {
    EvaluationSummary summary;
    summary.verdict = verdict;
    summary.device = device;
    summary.software = software;
    if (medianMicroseconds)
        summary.candidate = ArmTiming{*medianMicroseconds, lowMicroseconds.value_or(*medianMicroseconds),
                                      highMicroseconds.value_or(*medianMicroseconds), 0, true};
    summary.eager = eager;
    summary.textHash = textHash;
    summary.beside = beside;
    summary.startedAt = startedAt;
    if (isUnexercised) {
        summary.unexercised.emplace();
        summary.unexercised->isKept = true;
    }
    return summary;
}

void HistoryModel::setPoints(std::vector<HistoryPoint> points, const HistoryLines &lines) {
    beginResetModel();
    m_points = std::move(points);
    // What is no time leaves the others their scale.
    for (HistoryPoint &point : m_points)
        for (std::optional<double> *time :
             {&point.medianMicroseconds, &point.lowMicroseconds, &point.highMicroseconds})
            if (*time && !std::isfinite(**time))
                time->reset();
    m_lines = lines;
    m_times = {};
    m_bestRows.clear();
    BestIteration best;
    for (const HistoryPoint &point : m_points) {
        if (!point.isBesideCode)
            best.take(static_cast<int>(m_bestRows.size()), point.summary());
        else
            best.takeBeside(point.summary());
        m_bestRows.push_back(best.place());
    }
    BestOf all{best.place() < 0 ? 0 : m_points[static_cast<std::size_t>(best.place())].number, {}};
    for (const int row : best.others())
        all.others.push_back(m_points[static_cast<std::size_t>(row)].number);
    m_notToldApart = notToldApartText(all);
    // Written in the unit of the best, and where none is the best in that of the shortest.
    const HistoryPoint *guide = nullptr;
    for (const HistoryPoint &point : m_points)
        if (point.isTimed() && (guide == nullptr || *point.medianMicroseconds < *guide->medianMicroseconds))
            guide = &point;
    if (const std::optional<int> row = bestRow())
        guide = &m_points[static_cast<std::size_t>(*row)];
    if (guide != nullptr) {
        const double median = *guide->medianMicroseconds;
        m_times = timeScaleOf(median, guide->lowMicroseconds.value_or(median),
                              guide->highMicroseconds.value_or(median));
    }
    endResetModel();
}

std::optional<int> HistoryModel::bestRow() const {
    return bestRowUpTo(static_cast<int>(m_points.size()) - 1);
}

std::optional<int> HistoryModel::bestRowUpTo(int row) const {
    const int best = row < 0 ? -1 : m_bestRows[static_cast<std::size_t>(row)];
    return best < 0 ? std::nullopt : std::optional(best);
}

std::optional<double> HistoryModel::bestUpTo(int row) const {
    const std::optional<int> best = bestRowUpTo(row);
    return best ? m_points[static_cast<std::size_t>(*best)].medianMicroseconds : std::nullopt;
}

QString HistoryModel::summary() const {
    if (m_points.empty())
        return QStringLiteral("No iterations.");
    QString text =
        countText(static_cast<qsizetype>(m_points.size()), QStringLiteral("iteration")) + QStringLiteral(".");
    if (const std::optional<int> row = bestRow()) {
        const HistoryPoint &best = m_points[static_cast<std::size_t>(*row)];
        text += QStringLiteral(" The best is iteration %1 with %2 a call.")
                    .arg(best.number)
                    .arg(m_times.text(*best.medianMicroseconds));
        if (!m_notToldApart.isEmpty())
            text += QLatin1Char(' ') + m_notToldApart;
    }
    qsizetype failed = 0;
    for (const HistoryPoint &point : m_points)
        failed += point.isTimed() || point.isUnexercised ? 0 : 1;
    if (failed > 0)
        text +=
            QLatin1Char(' ') + numberText(static_cast<double>(failed)) + QStringLiteral(" without a time.");
    return text;
}

int HistoryModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_points.size());
}

int HistoryModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const HistoryPoint &point = m_points[static_cast<std::size_t>(index.row())];
    const bool isValue = role == ValueRole;
    if (role == IconNameRole && index.column() == VerdictWord)
        return QLatin1String(point.look().icon);
    if (role == ColorRole && index.column() == VerdictWord)
        return QLatin1String(point.look().ink);
    if (role == Qt::TextAlignmentRole &&
        (index.column() == Number || (index.column() >= Median && index.column() <= Best)))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        QStringList lines{
            QStringLiteral("iteration %1, %2, by %3").arg(point.number).arg(point.look().word, point.author)};
        if (point.medianMicroseconds) {
            const double median = *point.medianMicroseconds;
            if (point.lowMicroseconds && point.highMicroseconds)
                lines << QStringLiteral("median %1, 95 % interval %2 %3")
                             .arg(m_times.text(median),
                                  m_times.interval(*point.lowMicroseconds, *point.highMicroseconds),
                                  m_times.unit);
            else
                lines << QStringLiteral("median %1").arg(m_times.text(median));
        }
        if (!point.note.isEmpty())
            lines << point.note;
        return lines.join(QLatin1Char('\n'));
    }
    if (role != Qt::DisplayRole && !isValue)
        return {};
    const auto time = [&](const std::optional<double> &microseconds) {
        if (!microseconds)
            return QVariant();
        return isValue ? QVariant(*microseconds) : QVariant(m_times.number(*microseconds));
    };
    switch (index.column()) {
    case Number:
        return isValue ? QVariant(point.number) : QVariant(QString::number(point.number));
    case Author:
        return point.author;
    case VerdictWord:
        return isValue ? verdictName(point.verdict) : point.look().word;
    case Median:
        return time(point.medianMicroseconds);
    case Low:
        return time(point.lowMicroseconds);
    case High:
        return time(point.highMicroseconds);
    case Best:
        return time(bestUpTo(index.row()));
    case Note:
        return point.note;
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array names{"iteration", "author", "verdict",     "median",
                                      "low",       "high",   "best so far", "note"};
    static constexpr std::array csvNames{"iteration", "author",  "verdict",        "median_us",
                                         "low_us",    "high_us", "best_so_far_us", "note"};
    const auto at = static_cast<std::size_t>(section);
    if (role == ValueRole)
        return QLatin1String(csvNames[at]);
    if (role != Qt::DisplayRole)
        return {};
    const QString name = QLatin1String(names[at]);
    return section >= Median && section <= Best ? name + QStringLiteral(", ") + m_times.unit : name;
}

} // namespace warpwright
