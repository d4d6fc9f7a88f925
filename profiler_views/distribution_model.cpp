// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/distribution_model.h"

#include "profiler_views/value_role.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpwright {

void DistributionModel::setFigures(const MeasuredFigures &figures) {
    beginResetModel();
    m_figures = figures;
    endResetModel();
}

QStringList DistributionModel::otherArms() const {
    QStringList names;
    for (const ArmFigures &arm : m_figures.arms) {
        if (!arm.isCandidate() && !blocksOf(arm.name).empty())
            names << arm.name;
    }
    return names;
}

QString DistributionModel::firstOtherArm() const {
    const ArmFigures *candidate = m_figures.candidate();
    if (candidate == nullptr || !m_figures.sameClass || !otherArms().contains(m_figures.sameClass->arm))
        return {};
    // Much slower, it would press both flat.
    const ArmFigures *other = m_figures.arm(m_figures.sameClass->arm);
    return other->medianMicroseconds < 1.5 * candidate->medianMicroseconds ? other->name : QString();
}

std::vector<BlockFigures> DistributionModel::blocksOf(const QString &arm) const {
    std::vector<BlockFigures> blocks;
    std::copy_if(m_figures.blocks.begin(), m_figures.blocks.end(), std::back_inserter(blocks),
                 [&arm](const BlockFigures &block) { return block.arm == arm; });
    return blocks;
}

int DistributionModel::lastBlock() const {
    int last = 0;
    for (const BlockFigures &block : m_figures.blocks)
        last = std::max(last, block.block);
    return last;
}

std::vector<int> DistributionModel::histogram(const std::vector<BlockFigures> &blocks, double low,
                                              double high, int count) {
    std::vector<int> bins(static_cast<std::size_t>(std::max(count, 1)), 0);
    if (!(high > low))
        return bins;
    for (const BlockFigures &block : blocks) {
        const double place = (block.microseconds - low) / (high - low) * static_cast<double>(bins.size());
        if (place < 0 || block.microseconds > high)
            continue;
        ++bins[std::min(static_cast<std::size_t>(place), bins.size() - 1)];
    }
    return bins;
}

DistributionModel::Range DistributionModel::range(const QStringList &arms) const {
    std::vector<double> all;
    double high = 0;
    double low = 0;
    for (const QString &arm : arms) {
        std::vector<double> times;
        for (const BlockFigures &block : blocksOf(arm))
            times.push_back(block.microseconds);
        if (times.empty())
            continue;
        std::sort(times.begin(), times.end());
        // Stragglers: more than three times the middle half's width above it. Always shown: the interval.
        const double quarter = times[times.size() / 4];
        const double threeQuarters = times[times.size() * 3 / 4];
        double limit = threeQuarters + 3 * (threeQuarters - quarter);
        if (const ArmFigures *figures = m_figures.arm(arm))
            limit = std::max(limit, figures->highMicroseconds);
        const double most = times.back() <= limit ? times.back() : limit;
        low = low == 0 ? times.front() : std::min(low, times.front());
        high = std::max(high, most);
    }
    if (!(high > 0))
        return {0, 1};
    const double margin = std::max(0.08 * (high - low), 0.002 * high);
    return {std::max(0.0, low - margin), high + margin};
}

QString DistributionModel::summary() const {
    const ArmFigures *candidate = m_figures.candidate();
    const std::vector<BlockFigures> blocks = blocksOf(QStringLiteral("candidate"));
    if (candidate == nullptr || blocks.empty())
        return QStringLiteral("No samples.");
    const auto [least, most] =
        std::minmax_element(blocks.begin(), blocks.end(), [](const BlockFigures &a, const BlockFigures &b) {
            return a.microseconds < b.microseconds;
        });
    const TimeScale &times = m_figures.times;
    QString text = QStringLiteral("%1 of the candidate from %2 to %3, median %4.")
                       .arg(countText(static_cast<qsizetype>(blocks.size()), QStringLiteral("timed round")),
                            times.text(least->microseconds), times.text(most->microseconds),
                            times.text(candidate->medianMicroseconds));
    if (m_figures.clock.empty())
        return text + QStringLiteral(" The clock was not readable.");
    double slowest = m_figures.clock.front().megahertz;
    double fastest = slowest;
    for (const ClockReading &reading : m_figures.clock) {
        slowest = std::min(slowest, reading.megahertz);
        fastest = std::max(fastest, reading.megahertz);
    }
    return text + QStringLiteral(" Clock from %1 to %2 MHz.").arg(numberText(slowest), numberText(fastest));
}

const ClockReading *DistributionModel::clockAt(const BlockFigures &block) const {
    const auto found =
        std::find_if(m_figures.clock.begin(), m_figures.clock.end(), [&](const ClockReading &reading) {
            return reading.block == block.block && reading.arm == block.arm;
        });
    return found == m_figures.clock.end() ? nullptr : &*found;
}

int DistributionModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_figures.blocks.size());
}

int DistributionModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DistributionModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const BlockFigures &block = m_figures.blocks[static_cast<std::size_t>(index.row())];
    const bool isValue = role == ValueRole;
    if (role == Qt::TextAlignmentRole && index.column() != Arm && index.column() != SlowedBy)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const ClockReading *clock = clockAt(block);
    if (role == Qt::ToolTipRole) {
        QStringList lines{QStringLiteral("timed round %1, %2").arg(block.block + 1).arg(armLabel(block.arm)),
                          QStringLiteral("%1 a call").arg(m_figures.times.text(block.microseconds))};
        if (block.calls)
            lines.last() += QStringLiteral(", mean of ") + countText(*block.calls, QStringLiteral("call"));
        if (clock != nullptr)
            lines << QStringLiteral("clock %1 MHz%2")
                         .arg(numberText(clock->megahertz),
                              clock->slowedBy.isEmpty() ? QString()
                                                        : QStringLiteral(", slowed by ") + clock->slowedBy);
        return lines.join(QLatin1Char('\n'));
    }
    if (role != Qt::DisplayRole && !isValue)
        return {};
    const auto number = [isValue](const std::optional<double> &value, int decimals) {
        if (!value)
            return QVariant();
        return isValue ? QVariant(*value) : QVariant(numberText(*value, decimals));
    };
    switch (index.column()) {
    case Block:
        return isValue ? QVariant(block.block) : QVariant(QString::number(block.block + 1));
    case Arm:
        return isValue ? block.arm : armLabel(block.arm);
    case Time:
        return isValue ? QVariant(block.microseconds) : QVariant(m_figures.times.number(block.microseconds));
    case Calls:
        return block.calls ? number(*block.calls, 0) : QVariant();
    case Start:
        return number(block.startSeconds, 2);
    case Megahertz:
        return clock == nullptr ? QVariant() : number(clock->megahertz, 0);
    case SlowedBy:
        return clock == nullptr ? QString() : clock->slowedBy;
    default:
        return {};
    }
}

QVariant DistributionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array names{"round",    "arm",        "time of a call", "calls",
                                      "start, s", "clock, MHz", "slowed by"};
    static constexpr std::array csvNames{"block",   "arm",       "time_us",  "calls",
                                         "start_s", "clock_mhz", "slowed_by"};
    const auto at = static_cast<std::size_t>(section);
    if (role == ValueRole)
        return QLatin1String(csvNames[at]);
    if (role != Qt::DisplayRole)
        return {};
    return section == Time ? QLatin1String(names[at]) + QStringLiteral(", ") + m_figures.times.unit
                           : QString(QLatin1String(names[at]));
}

} // namespace warpwright
