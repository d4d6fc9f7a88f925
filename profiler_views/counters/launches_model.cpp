// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/counters/launches_model.h"

#include "toolchain/figures.h"
#include "toolchain/kernel_name.h"

namespace warpwright {

void LaunchesModel::setCounters(std::shared_ptr<const Counters> counters, const QString &first) {
    beginResetModel();
    m_counters = std::move(counters);
    m_first = first;
    endResetModel();
}

int LaunchesModel::rowCount(const QModelIndex &parent) const {
    if (parent.isValid())
        return 0;
    return (m_counters ? static_cast<int>(m_counters->kernels.size()) : 0) + (m_first.isEmpty() ? 0 : 1);
}

QVariant LaunchesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const int kernel = index.row() - (m_first.isEmpty() ? 0 : 1);
    if (role == KernelRole)
        return kernel;
    if (kernel < 0)
        return role == Qt::DisplayRole ? QVariant(m_first) : QVariant();
    const KernelCounters &launch = m_counters->kernels[static_cast<std::size_t>(kernel)];
    if (role == Qt::ToolTipRole)
        return launch.name;
    if (role != Qt::DisplayRole)
        return {};
    QStringList parts{launch.arm, shortKernelName(launch.name),
                      QStringLiteral("launch %1").arg(launch.launch)};
    if (const std::optional<double> microseconds = launch.microseconds())
        parts << timeText(*microseconds);
    return parts.join(QStringLiteral(" · "));
}

} // namespace warpwright
