// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/kernel_resources_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

int spillBytes(const KernelResources &kernel) {
    return kernel.spillStoreBytes + kernel.spillLoadBytes;
}

int valueOf(const KernelResources &kernel, int column) {
    switch (column) {
    case KernelResourcesModel::Registers:
        return kernel.registers;
    case KernelResourcesModel::Spill:
        return spillBytes(kernel);
    case KernelResourcesModel::Shared:
        return kernel.staticSharedBytes;
    case KernelResourcesModel::Stack:
        return kernel.stackBytes;
    case KernelResourcesModel::MaxThreads:
        return kernel.maxThreads;
    default:
        return 0;
    }
}

QString withChange(int now, const std::optional<KernelResources> &before, int column) {
    const QString text = numberText(now);
    if (!before)
        return text;
    const int change = now - valueOf(*before, column);
    return change == 0 ? text : QStringLiteral("%1 (%2)").arg(text, signedText(change));
}

} // namespace

void KernelResourcesModel::setKernels(const std::vector<KernelResources> &kernels,
                                      const std::vector<KernelResources> &before) {
    beginResetModel();
    m_rows.clear();
    for (const KernelResources &kernel : kernels) {
        const auto old = std::find_if(before.begin(), before.end(), [&kernel](const KernelResources &other) {
            return other.name == kernel.name && other.arch == kernel.arch;
        });
        m_rows.push_back({kernel, old == before.end() ? std::nullopt : std::optional(*old)});
    }
    endResetModel();
}

void KernelResourcesModel::setLaunchBounds(const QHash<QString, int> &bounds) {
    if (m_bounds == bounds)
        return;
    m_bounds = bounds;
    if (!m_rows.empty())
        emit dataChanged(index(0, Occupied), index(rowCount() - 1, MaxThreads));
}

std::optional<int> KernelResourcesModel::knownBound(const Row &row) const {
    const auto bound = m_bounds.constFind(row.now.name);
    return bound != m_bounds.constEnd() ? std::optional(*bound) : row.now.launchThreads;
}

QString KernelResourcesModel::threadsWords(const Row &row) const {
    const QString suffice = numberText(row.now.maxThreads);
    if (launchBound(row) > 0)
        return QStringLiteral(
                   "its __launch_bounds__ allow %1 threads of a block; its registers suffice for %2")
            .arg(numberText(launchBound(row)), suffice);
    return knownBound(row)
               ? QStringLiteral("no __launch_bounds__ are written; its registers suffice for %1 threads of a "
                                "block")
                     .arg(suffice)
               : QStringLiteral("its registers suffice for %1 threads of a block; its __launch_bounds__ may "
                                "allow fewer, which is known once Assembly has read the code")
                     .arg(suffice);
}

std::vector<Occupancy> KernelResourcesModel::occupancies(const Row &row) const {
    return occupanciesOf(row.now, launchBound(row));
}

QString KernelResourcesModel::occupancyText(const Row &row) const {
    return occupancyRange(occupancies(row));
}

QString KernelResourcesModel::occupancyWords(const Row &row) const {
    QStringList lines;
    for (const Occupancy &one : occupancies(row))
        lines << QStringLiteral("blocks of %1 threads: %2 of %3 warps, limited by %4")
                     .arg(numberText(one.threads), numberText(one.warps), numberText(one.maxWarps),
                          limiterNames(one).join(QStringLiteral(", ")));
    if (lines.isEmpty())
        return QStringLiteral("the limits of an SM of %1 are not known").arg(row.now.arch);
    return lines.join(QLatin1Char('\n')) + QStringLiteral("\nDynamic shared memory is not counted.");
}

QString KernelResourcesModel::architecture() const {
    QString found;
    for (const Row &row : m_rows) {
        if (!found.isEmpty() && row.now.arch != found)
            return {};
        found = row.now.arch;
    }
    return found;
}

int KernelResourcesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int KernelResourcesModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant KernelResourcesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool spills = column == Spill && spillBytes(row.now) > 0;
    switch (role) {
    case Qt::DisplayRole:
        if (column == Kernel)
            return shortKernelName(row.now.name);
        if (column == Occupied)
            return occupancyText(row);
        if (column == MaxThreads)
            return launchBound(row) > 0
                       ? numberText(launchBound(row))
                       : QStringLiteral("\u2264 ") + withChange(valueOf(row.now, column), row.before, column);
        return withChange(valueOf(row.now, column), row.before, column);
    case ValueRole:
        if (column == MaxThreads && launchBound(row) > 0)
            return launchBound(row);
        if (column == Occupied)
            return occupancyText(row);
        return column == Kernel ? QVariant(row.now.name) : QVariant(valueOf(row.now, column));
    case MonospaceRole:
        return column == Kernel;
    case IconNameRole:
        return spills ? QStringLiteral("warning") : QString();
    case ColorRole:
        return spills ? QStringLiteral("verdict.buildFailed") : QString();
    case Qt::TextAlignmentRole:
        return column == Kernel ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        break;
    default:
        return {};
    }
    if (column == Kernel)
        return row.now.name + QLatin1Char('\n') + row.now.arch;
    if (column == Spill)
        return QStringLiteral(
                   "%1 B stored, %2 B loaded: values that did not fit in registers lie in local memory")
            .arg(numberText(row.now.spillStoreBytes), numberText(row.now.spillLoadBytes));
    if (column == MaxThreads)
        return threadsWords(row);
    if (column == Occupied)
        return occupancyWords(row);
    if (row.before)
        return QStringLiteral("before: %1").arg(numberText(valueOf(*row.before, column)));
    return {};
}

QVariant KernelResourcesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array names{"kernel",    "regs",    "spill B", "smem B",
                                      "occupancy", "threads", "stack B"};
    static constexpr std::array csvNames{"kernel",    "registers",   "spill_bytes", "shared_bytes",
                                         "occupancy", "max_threads", "stack_bytes"};
    static constexpr std::array toolTips{
        "the kernel and the architecture it was compiled for",
        "registers a thread",
        "bytes spilled to memory a thread, stores and loads",
        "bytes of static shared memory a block",
        "resident warps over the most that a streaming multiprocessor (SM) can hold, for blocks of the "
        "launch bound, else of 128 to 1,024 threads",
        "the most threads of a block: by __launch_bounds__, else (\u2264) by the registers",
        "bytes of stack frame a thread"};
    const auto at = static_cast<std::size_t>(section);
    if (role == ValueRole)
        return QLatin1String(csvNames[at]);
    if (role == Qt::ToolTipRole) {
        const QString chip = section == Kernel ? architecture() : QString();
        return QString::fromUtf8(toolTips[at]) + (chip.isEmpty() ? chip : QStringLiteral(": ") + chip);
    }
    if (role == Qt::TextAlignmentRole)
        return section == Kernel ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                 : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return QLatin1String(names[at]);
}

} // namespace warpwright
