// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/counters/counter_rows_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"

#include <algorithm>
#include <array>

namespace warpwright {

void CounterRowsModel::setLaunch(const CountedLaunch &launch, const CountedLaunch &baseline) {
    beginResetModel();
    m_launch = launch;
    m_baseline = baseline;
    m_rows = counterRows(launch, baseline);
    endResetModel();
}

QString CounterRowsModel::worth() const {
    if (m_baseline.launch() == nullptr)
        return {};
    const bool isRepeated = std::any_of(m_rows.begin(), m_rows.end(), [](const CounterRow &row) {
        return row.change && row.spread.contains(QLatin1String("launches"));
    });
    return isRepeated ? QStringLiteral("\u2248: the ranges of their launches meet")
                      : QStringLiteral("one measurement each, no spread: 5\u00a0% and less may be noise");
}

QString CounterRowsModel::origin() const {
    const KernelCounters *kernel = m_launch.launch();
    if (kernel == nullptr)
        return {};
    const Counters &counters = *m_launch.counters;
    QStringList parts{m_launch.name(), kernel->arm, counters.device, counters.tool};
    if (!counters.set.isEmpty())
        parts << QStringLiteral("set ") + counters.set;
    parts.removeAll(QString());
    QString text = parts.join(QStringLiteral(" · "));
    if (m_baseline.launch() != nullptr)
        text += QStringLiteral(". Against %1; %2").arg(m_baseline.name(), worth());
    return text;
}

QString CounterRowsModel::summary() const {
    if (m_launch.launch() == nullptr)
        return QStringLiteral("No counters.");
    QStringList sentences{origin() + QLatin1Char('.')};
    for (const CounterRow &row : m_rows) {
        if (row.section != CounterSection::SpeedOfLight)
            break;
        sentences << QStringLiteral("%1: %2.").arg(row.label, row.value ? row.text : row.missing);
    }
    const auto stall = std::find_if(m_rows.begin(), m_rows.end(), [](const CounterRow &row) {
        return row.section == CounterSection::WarpStates && row.value;
    });
    if (stall != m_rows.end())
        sentences << QStringLiteral("Warps wait most for %1, %2 of the time.")
                         .arg(stall->label, percentText(stall->share.value_or(0)));
    return sentences.join(QLatin1Char(' '));
}

int CounterRowsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CounterRowsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CounterRowsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const CounterRow &row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole)
        return row.toolTip();
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    const bool isValue = role == ValueRole;
    const auto number = [](const std::optional<double> &value) {
        return value ? QVariant(*value) : QVariant();
    };
    switch (index.column()) {
    case Section:
        return sectionName(row.section);
    case Label:
        return row.label;
    case Value:
        return isValue ? number(row.value) : row.missing.isEmpty() ? row.text : row.missing;
    case Unit:
        return row.unit;
    case Baseline:
        return isValue ? number(row.before) : row.before ? counterText(*row.before, row.unit) : QString();
    case Change:
        if (!row.change)
            return isValue ? QVariant() : QVariant(QString());
        return isValue ? number(row.change->share) : row.change->text();
    default:
        return row.metric;
    }
}

QVariant CounterRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array heads{"section", "what", "value", "unit", "baseline", "change", "metric"};
    static constexpr std::array names{"section",         "what",  "value", "unit", "baseline",
                                      "relative_change", "metric"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(heads[static_cast<std::size_t>(section)]))
                                   : QVariant();
}

} // namespace warpwright
