// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/occupancy/occupancy_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"

namespace warpwright {
namespace {

constexpr int mostThreads = 1024;
constexpr int sharedStep = 1024;

QString limitedBy(const Occupancy &occupancy) {
    return limiterNames(occupancy).join(QStringLiteral(" and "));
}

} // namespace

QString OccupancyModel::curveName(Curve curve) {
    switch (curve) {
    case Registers:
        return QStringLiteral("registers a thread");
    case Threads:
        return QStringLiteral("threads of a block");
    default:
        return QStringLiteral("shared memory of a block");
    }
}

int OccupancyModel::valueOf(const BlockNeeds &needs, Curve curve) {
    return curve == Registers ? needs.registers : curve == Threads ? needs.threads : needs.sharedBytes;
}

void OccupancyModel::setValue(BlockNeeds &needs, Curve curve, int value) {
    (curve == Registers ? needs.registers : curve == Threads ? needs.threads : needs.sharedBytes) = value;
}

QString OccupancyModel::valueText(Curve curve, int value) {
    return curve == SharedMemory ? bytesText(value) : numberText(value);
}

QString OccupancyModel::sentence(const Occupancy &occupancy) {
    if (occupancy.blocks == 0)
        return QStringLiteral("does not launch, for its %1").arg(limitedBy(occupancy));
    return QStringLiteral("%1 of %2 warps, %3, %4, limited by %5")
        .arg(occupancy.warps)
        .arg(occupancy.maxWarps)
        .arg(percentText(occupancy.share(), 0), countText(occupancy.blocks, QStringLiteral("block")),
             limitedBy(occupancy));
}

QString OccupancyModel::verdict() const {
    if (m_question.limits.warps == 0)
        return {};
    const Occupancy before = now();
    const Occupancy after = wanted();
    if (m_question.now == m_question.wanted)
        return sentence(before);
    const auto share = [](const Occupancy &occupancy) {
        return occupancy.blocks == 0 ? QStringLiteral("no launch") : percentText(occupancy.share(), 0);
    };
    if (after.blocks == 0)
        return QStringLiteral("%1 → does not launch, for its %2").arg(share(before), limitedBy(after));
    if (before.warps == after.warps)
        return QStringLiteral("stays at %1").arg(sentence(after));
    return QStringLiteral("%1 → %2").arg(share(before), sentence(after));
}

void OccupancyModel::setQuestion(const OccupancyQuestion &question) {
    beginResetModel();
    m_question = question;
    for (std::vector<Sample> &samples : m_samples)
        samples.clear();
    if (question.limits.warps > 0) {
        const auto sample = [&](Curve curve, int from, int to, int step) {
            for (int x = from; x <= to; x += step) {
                BlockNeeds needs = question.wanted;
                setValue(needs, curve, x);
                m_samples[curve].push_back({x, occupancyOf(question.limits, needs)});
            }
        };
        sample(Registers, 1, question.limits.registersPerThread, 1);
        sample(Threads, 32, mostThreads, 32);
        sample(SharedMemory, 0, question.limits.sharedBytesPerBlock, sharedStep);
    }
    endResetModel();
}

int OccupancyModel::rowCount(const QModelIndex &parent) const {
    int rows = 0;
    for (const std::vector<Sample> &samples : m_samples)
        rows += static_cast<int>(samples.size());
    return parent.isValid() ? 0 : rows;
}

int OccupancyModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OccupancyModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != ValueRole))
        return {};
    auto row = static_cast<std::size_t>(index.row());
    std::size_t curve = 0;
    while (row >= m_samples[curve].size())
        row -= m_samples[curve++].size();
    const Sample &sample = m_samples[curve][row];
    const auto which = static_cast<Curve>(curve);
    switch (index.column()) {
    case What:
        return curveName(which);
    case X:
        return role == ValueRole ? QVariant(sample.x) : QVariant(valueText(which, sample.x));
    case Warps:
        return sample.occupancy.warps;
    case Share:
        return role == ValueRole ? QVariant(sample.occupancy.share())
                                 : QVariant(percentText(sample.occupancy.share(), 0));
    case Blocks:
        return sample.occupancy.blocks;
    default:
        return limitedBy(sample.occupancy);
    }
}

QVariant OccupancyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array heads{"curve", "value", "warps", "occupancy", "blocks", "limited by"};
    static constexpr std::array names{"curve",     "value",  "warps_a_multiprocessor",
                                      "occupancy", "blocks", "limited_by"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(heads[static_cast<std::size_t>(section)]))
                                   : QVariant();
}

} // namespace warpwright
