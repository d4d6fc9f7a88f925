// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/counters/launches_model.h"

#include "toolchain/base/figures.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

constexpr qsizetype longestName = 34;

// Without the namespaces, which kernels of a library share, and short from its middle: the ends differ.
QString pickedName(const QString &demangled) {
    static const QRegularExpression namespaces(QStringLiteral("\\b[A-Za-z_]\\w*::"));
    QString name = shortKernelName(demangled).remove(namespaces);
    if (name.size() > longestName)
        name = name.left(longestName / 2) + QChar(0x2026) + name.right(longestName - longestName / 2 - 1);
    return name;
}

QString sizeText(const std::array<int, 3> &sizes) {
    return numberText(static_cast<double>(sizes[0]) * sizes[1] * sizes[2]);
}

} // namespace

void LaunchesModel::setCounters(std::shared_ptr<const Counters> counters, const QString &first) {
    beginResetModel();
    m_counters = std::move(counters);
    m_first = first;
    m_hasArms = m_counters && m_counters->arms().size() > 1;
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
    QStringList parts{QString::number(launch.launch + 1), pickedName(launch.name),
                      QStringLiteral("%1 × %2").arg(sizeText(launch.grid), sizeText(launch.block))};
    if (const std::optional<double> microseconds = launch.microseconds())
        parts << timeText(*microseconds);
    if (m_hasArms)
        parts << launch.arm;
    return parts.join(QStringLiteral(" · "));
}

} // namespace warpwright
