// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/counters/metrics_model.h"

#include "profiler_views/value_role.h"

#include <array>

namespace warpwright {
namespace {

QString textOf(const CounterValue &value) {
    if (value.number)
        return counterText(*value.number, value.unit);
    return value.text.isEmpty() ? QStringLiteral("no value") : value.text;
}

} // namespace

void MetricsModel::setLaunch(const CountedLaunch &launch, const CountedLaunch &baseline) {
    beginResetModel();
    m_launch = launch;
    m_baseline = baseline;
    m_rows.clear();
    if (const KernelCounters *kernel = launch.launch()) {
        const KernelCounters *before = baseline.launch();
        m_rows.reserve(kernel->metrics.size());
        for (const auto &[name, value] : kernel->metrics) {
            Row row{name, value, std::nullopt};
            if (before != nullptr)
                if (const auto found = before->metrics.find(name); found != before->metrics.end())
                    row.before = found->second;
            m_rows.push_back(std::move(row));
        }
    }
    endResetModel();
}

int MetricsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MetricsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant MetricsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == MonospaceRole)
        return column == Metric;
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == Metric ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return row.name + QStringLiteral(" = ") + exactText(row.now) +
               (row.before ? QStringLiteral("\nbaseline ") + exactText(*row.before) : QString());
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    const auto shown = [role](const CounterValue &value) {
        if (role == Qt::DisplayRole)
            return QVariant(textOf(value));
        return value.number           ? QVariant(*value.number)
               : value.text.isEmpty() ? QVariant()
                                      : QVariant(value.text);
    };
    if (column == Metric)
        return row.name;
    if (column == Value)
        return shown(row.now);
    if (column == Unit)
        return row.now.unit;
    if (column == Baseline)
        return row.before ? shown(*row.before) : QVariant();
    if (!row.now.number || !row.before || !row.before->number)
        return {};
    const auto read = [&row](const KernelCounters &kernel) {
        return kernel.number(row.name);
    };
    const CounterChange change =
        changeOf(*row.now.number, *row.before->number, rangeOf(*m_launch.counters, *m_launch.launch(), read),
                 rangeOf(*m_baseline.counters, *m_baseline.launch(), read));
    if (role == ValueRole)
        return change.share ? QVariant(*change.share) : QVariant();
    return change.text();
}

QVariant MetricsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array heads{"metric", "value", "unit", "baseline", "change"};
    static constexpr std::array names{"metric", "value", "unit", "baseline", "relative_change"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Metric ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(heads[static_cast<std::size_t>(section)]))
                                   : QVariant();
}

} // namespace warpwright
