// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/past_runs_models.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/pace_text.h"

namespace warpwright {
namespace {

QString whenText(const QDateTime &at) {
    return at.toLocalTime().toString(QStringLiteral("d MMM yyyy, HH:mm:ss"));
}

/// What the best of a run is chosen by: over eager, the one baseline that all checks measure.
QString paceWords(const EvaluationSummary &summary) {
    return summary.eager ? factorText(summary.eager->value, summary.eager->low, summary.eager->high).both()
                         : paceText(summary);
}

QString startText(const IndexedRun &run) {
    return run.start && paceOf(*run.start) ? paceWords(*run.start) : QString();
}

QString bestText(const IndexedRun &run) {
    return run.best ? paceWords(*run.best) : PastRunsModel::tr("none passed");
}

} // namespace

QString endingText(const IndexedRun &run) {
    return run.ending.isEmpty() ? PastRunsModel::tr("not ended") : run.ending;
}

bool hasEnded(const IndexedRun &run) {
    return run.ending.startsWith(QLatin1String("ended"));
}

QString filterWords(const IndexedRun &run) {
    return QStringList{whenText(run.beganAt), run.agent, run.mode, endingText(run), run.run}.join(
        QLatin1Char(' '));
}

void PastRunsModel::setRuns(std::vector<IndexedRun> runs) {
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

int PastRunsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int PastRunsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PastRunsModel::data(const QModelIndex &index, int role) const {
    const IndexedRun &run = m_runs[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole && (column == Iterations || column == Start || column == Best))
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == FileRole && column == 0)
        return run.run;
    if (role == LineRole && column == 0)
        return 1;
    if (role == EmphasisRole)
        return column == Best && run.best.has_value();
    if (role == ColorRole)
        return column == Best && !run.best               ? QStringLiteral("text.tertiary")
               : column == Ended && run.ending.isEmpty() ? QStringLiteral("accent.text")
               : column == Begun || column == Best       ? QStringLiteral("text.primary")
                                                         : QStringLiteral("text.secondary");
    if (role == Qt::ToolTipRole && column == Best && run.best)
        return tr("Iteration %1 is the best of the run's own: %2.")
            .arg(run.bestIteration)
            .arg(whatBestMeans());
    if (role == Qt::ToolTipRole && column == Start && run.startIteration > 0)
        return tr("Iteration %1, which was there before the run").arg(run.startIteration);
    if (role == Qt::ToolTipRole)
        return tr("%1: %2, %3%4")
            .arg(run.run, countText(static_cast<qsizetype>(run.events), tr("event")),
                 countText(run.proposals, tr("proposal")),
                 run.passedOver == 0
                     ? QString()
                     : tr(", %1 that cannot be read").arg(countText(run.passedOver, tr("line"))));
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Begun:
        return whenText(run.beganAt);
    case Agent:
        return run.agent;
    case Mode:
        return run.mode;
    case Iterations:
        return numberText(run.iterations);
    case Start:
        return startText(run);
    case Best:
        return bestText(run);
    case Ended:
        return endingText(run);
    default:
        return {};
    }
}

QVariant PastRunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (section == Iterations || section == Start || section == Best ? Qt::AlignRight : Qt::AlignLeft) |
            Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("begun"),
                             tr("agent"),
                             tr("mode"),
                             tr("iterations"),
                             tr("start, over eager"),
                             tr("its best, over eager"),
                             tr("how it ended")};
    return names[section];
}

void FoundEventsModel::setEvents(std::vector<IndexedEvent> events) {
    beginResetModel();
    m_events = std::move(events);
    endResetModel();
}

int FoundEventsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int FoundEventsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FoundEventsModel::data(const QModelIndex &index, int role) const {
    const IndexedEvent &event = m_events[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole && column == Number)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == FileRole && column == 0)
        return event.run;
    if (role == LineRole && column == 0)
        return static_cast<int>(event.number);
    if (role == ColorRole)
        return column == What ? QStringLiteral("text.primary") : QStringLiteral("text.secondary");
    if (role == Qt::ToolTipRole)
        return event.summary;
    if (role != Qt::DisplayRole)
        return {};
    return column == When     ? whenText(event.at)
           : column == Number ? numberText(static_cast<double>(event.number))
                              : event.summary;
}

QVariant FoundEventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("when"), tr("event"), tr("what happened")};
    return names[section];
}

} // namespace warpwright
