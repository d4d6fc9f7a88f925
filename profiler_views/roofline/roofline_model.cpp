// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/roofline/roofline_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"

#include <algorithm>
#include <array>

namespace warpwright {

void RooflineModel::setInput(const RooflineInput &input) {
    beginResetModel();
    m_roofline = rooflineOf(input);
    m_figures = input.figures;
    endResetModel();
}

QString RooflineModel::ofRoofText(const RooflinePoint &point) const {
    const std::optional<double> roof = roofAt(point.intensity());
    if (!roof || m_roofline.isAboveRoof(point, m_figures))
        return {};
    const double share = point.flopsPerSecond() / *roof;
    const bool isCurrent = point.kind == RooflinePoint::Kind::Current;
    const auto arm = std::find_if(m_figures.arms.begin(), m_figures.arms.end(), [&](const ArmFigures &one) {
        return isCurrent ? one.isCandidate()
                         : point.kind == RooflinePoint::Kind::Baseline && one.name == point.arm;
    });
    // A spread that is less than the last digit is none.
    if (arm == m_figures.arms.end() || arm->lowMicroseconds <= 0 ||
        arm->highMicroseconds / arm->lowMicroseconds < 1.02)
        return percentText(share);
    return QStringLiteral("%1 (%2–%3)")
        .arg(percentText(share), numberText(100 * share * point.microseconds / arm->highMicroseconds, 1),
             percentText(share * point.microseconds / arm->lowMicroseconds));
}

QString RooflineModel::kindText(const RooflinePoint &point) {
    return point.kind == RooflinePoint::Kind::Kernel ? QStringLiteral("GPU counters")
                                                     : QStringLiteral("whole call");
}

QString RooflineModel::toolTipOf(std::size_t at) const {
    const RooflinePoint &point = m_roofline.points[at];
    const bool isKernel = point.kind == RooflinePoint::Kind::Kernel;
    QStringList lines{QStringLiteral("%1, %2").arg(
        isKernel ? QStringLiteral("%1 (%2)").arg(point.label, point.arm) : point.label, kindText(point))};
    if (isKernel && point.arm != QLatin1String("imported"))
        lines << QStringLiteral("one launch inside the whole call");
    lines << QStringLiteral("%1 at %2")
                 .arg(scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")),
                      intensityText(point.intensity()))
          << QStringLiteral("%1, %2 in %3")
                 .arg(scaledText(point.flops, QStringLiteral("FLOP")),
                      scaledText(point.bytes, QStringLiteral("B")), timeText(point.microseconds))
          << QStringLiteral("%1 of memory traffic")
                 .arg(scaledText(point.bytes / point.microseconds * 1e6, QStringLiteral("B/s")));
    if (const QString share = ofRoofText(point); !share.isEmpty())
        lines << QStringLiteral("%1 of the roof above it").arg(share);
    lines << point.basis;
    return lines.join(QLatin1Char('\n'));
}

bool RooflineModel::hasPoints(bool areKernels) const {
    return std::any_of(m_roofline.points.begin(), m_roofline.points.end(),
                       [areKernels](const RooflinePoint &point) {
                           return (point.kind == RooflinePoint::Kind::Kernel) == areKernels;
                       });
}

QString RooflineModel::origin() const {
    QStringList parts;
    if (!m_figures.device.name.isEmpty())
        parts << QStringLiteral("ceilings measured on %1 in the shown check").arg(m_figures.device.name);
    if (hasPoints(false))
        parts << QStringLiteral("whole calls by counted bytes and operations of the task");
    if (hasPoints(true))
        parts << QStringLiteral("kernels by hardware counters");
    return parts.join(QStringLiteral("; "));
}

QString RooflineModel::shortOrigin() const {
    QStringList parts{QStringLiteral("ceilings measured")};
    if (hasPoints(false))
        parts << QStringLiteral("whole calls: counted work");
    if (hasPoints(true))
        parts << QStringLiteral("kernels: GPU counters");
    return parts.join(QStringLiteral(" · "));
}

QString RooflineModel::sentenceOf(const RooflinePoint &point) const {
    const QString share = ofRoofText(point);
    return QStringLiteral("%1, %2: %3 at %4%5")
        .arg(point.label, kindText(point), scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")),
             intensityText(point.intensity()),
             share.isEmpty() ? QString() : QStringLiteral(", %1 of its roof").arg(share));
}

QString RooflineModel::summary() const {
    QStringList sentences;
    for (const RooflinePoint &point : m_roofline.points)
        if (point.kind != RooflinePoint::Kind::Iteration)
            sentences << sentenceOf(point) + QLatin1Char('.');
    sentences << m_roofline.remarks;
    return sentences.join(QLatin1Char(' '));
}

int RooflineModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_roofline.ceilings.size() + m_roofline.points.size());
}

int RooflineModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RooflineModel::ceilingData(const RooflineCeiling &ceiling, int column, int role) const {
    switch (column) {
    case What:
        return QStringLiteral("ceiling");
    case Name:
        return ceiling.name;
    case Rate:
        if (role == ValueRole)
            return ceiling.perSecond;
        return scaledText(ceiling.perSecond,
                          ceiling.isMemory ? QStringLiteral("B/s") : QStringLiteral("FLOP/s"));
    case Basis:
        return QStringLiteral("best of several runs on this device");
    default:
        return {};
    }
}

QVariant RooflineModel::pointData(const RooflinePoint &point, int column, int role) const {
    const bool isValue = role == ValueRole;
    switch (column) {
    case What:
        return point.kind == RooflinePoint::Kind::Kernel ? QStringLiteral("kernel")
                                                         : QStringLiteral("whole call");
    case Name:
        return point.label;
    case Intensity:
        return isValue ? QVariant(point.intensity()) : QVariant(intensityText(point.intensity()));
    case Rate:
        return isValue ? QVariant(point.flopsPerSecond())
                       : QVariant(scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")));
    case OfRoof: {
        const std::optional<double> roof = roofAt(point.intensity());
        if (!roof || m_roofline.isAboveRoof(point, m_figures))
            return {};
        const double share = point.flopsPerSecond() / *roof;
        return isValue ? QVariant(share) : QVariant(percentText(share));
    }
    default:
        return point.basis;
    }
}

QVariant RooflineModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != ValueRole))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    return row < m_roofline.ceilings.size()
               ? ceilingData(m_roofline.ceilings[row], index.column(), role)
               : pointData(m_roofline.points[row - m_roofline.ceilings.size()], index.column(), role);
}

QVariant RooflineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array heads{"what", "name", "intensity", "rate", "of its roof", "basis"};
    static constexpr std::array names{"what",    "name", "flop_per_byte", "flop_per_s_or_byte_per_s",
                                      "of_roof", "basis"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(heads[static_cast<std::size_t>(section)]))
                                   : QVariant();
}

} // namespace warpwright
