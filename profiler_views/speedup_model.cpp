// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/speedup_model.h"

#include "profiler_views/series_paint.h"
#include "profiler_views/value_role.h"
#include "toolchain/evaluation/ceiling_doubt.h"

#include <array>

namespace warpwright {

void SpeedupModel::setFigures(const MeasuredFigures &figures) {
    beginResetModel();
    m_figures = figures;
    endResetModel();
}

int SpeedupModel::rowCount(const QModelIndex &parent) const {
    if (parent.isValid() || m_figures.arms.empty())
        return 0;
    return static_cast<int>(m_figures.arms.size()) + (m_figures.speedOfLightMicroseconds ? 1 : 0);
}

int SpeedupModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString SpeedupModel::factorTextAt(int row) const {
    const ArmFigures &arm = m_figures.arms[static_cast<std::size_t>(row)];
    const ArmFigures *candidate = m_figures.candidate();
    if (arm.isCandidate() || candidate == nullptr)
        return {};
    // Without the interval's decimals: one number of decimals a column.
    if (const std::optional<SpeedUp> speedUp = m_figures.speedUpOver(arm.name))
        return factorText(speedUp->value);
    return factorText(arm.medianMicroseconds / candidate->medianMicroseconds);
}

double SpeedupModel::axisEnd() const {
    if (m_figures.arms.empty())
        return 1;
    const double candidate = m_figures.arms.back().medianMicroseconds;
    double end = m_figures.speedOfLightMicroseconds.value_or(0);
    for (const ArmFigures &arm : m_figures.arms) {
        if (arm.medianMicroseconds <= 8 * candidate)
            end = std::max(end, arm.highMicroseconds);
    }
    return std::max(end, 1.5 * candidate) * 1.08;
}

QString SpeedupModel::summary() const {
    const ArmFigures *candidate = m_figures.candidate();
    if (candidate == nullptr)
        return QStringLiteral("No times.");
    const TimeScale &times = m_figures.times;
    QStringList sentences{QStringLiteral("The candidate takes %1 a call.")
                              .arg(times.withSpread(candidate->medianMicroseconds, candidate->lowMicroseconds,
                                                    candidate->highMicroseconds))};
    for (std::size_t row = 0; row + 1 < m_figures.arms.size(); ++row) {
        const ArmFigures &arm = m_figures.arms[row];
        sentences << QStringLiteral("%1 takes %2%3, the candidate is %4 as fast.")
                         .arg(arm.label, times.text(arm.medianMicroseconds),
                              arm.isLive      ? QString()
                              : arm.isDerived ? QStringLiteral(" (derived)")
                                              : QStringLiteral(" (stored)"),
                              factorTextAt(static_cast<int>(row)));
    }
    if (const QString doubt = ceilingDoubt(m_figures); !doubt.isEmpty())
        sentences << QStringLiteral("The speed of light is %1: %2.")
                         .arg(times.fineText(*m_figures.speedOfLightMicroseconds), doubt);
    else if (const std::optional<MeasuredFigures::Share> share = m_figures.shareOfLight())
        sentences << QStringLiteral("That is %1 of the speed of light, %2.")
                         .arg(percentText(share->value), times.fineText(*m_figures.speedOfLightMicroseconds));
    return sentences.join(QLatin1Char(' '));
}

QVariant SpeedupModel::lightData(int column, int role) const {
    const double light = *m_figures.speedOfLightMicroseconds;
    if (role == Qt::TextAlignmentRole && column >= Median && column <= Samples)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    if (column == Arm)
        return QStringLiteral("speed of light");
    if (column == Median)
        return role == ValueRole ? QVariant(light)
                                 : QVariant(m_figures.times.fineText(light).section(QLatin1Char(' '), 0, 0));
    return {};
}

QVariant SpeedupModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const int column = index.column();
    const auto row = static_cast<std::size_t>(index.row());
    if (row == m_figures.arms.size())
        return lightData(column, role);
    const ArmFigures &arm = m_figures.arms[row];
    const bool isValue = role == ValueRole;
    if (role == EmphasisRole)
        return arm.isCandidate();
    if (role == Qt::ToolTipRole)
        return armToolTip(m_figures, arm);
    if (role == Qt::TextAlignmentRole && column >= Median && column <= Samples)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && !isValue)
        return {};
    const auto time = [&](double microseconds) {
        return isValue ? QVariant(microseconds) : QVariant(m_figures.times.number(microseconds));
    };
    const std::optional<SpeedUp> speedUp = m_figures.speedUpOver(arm.name);
    const auto factor = [&](double SpeedUp::*end) {
        if (!speedUp)
            return QVariant();
        const FactorText texts = factorText(speedUp->value, speedUp->low, speedUp->high);
        const bool isLow = end == &SpeedUp::low;
        return isValue ? QVariant((*speedUp).*end)
                       : QVariant(texts.interval.section(QChar(0x2013), isLow ? 0 : 1, isLow ? 0 : 1));
    };
    switch (column) {
    case Arm:
        return isValue ? arm.name : arm.label;
    case Class:
        return arm.precision;
    case Median:
        return time(arm.medianMicroseconds);
    case Low:
        return time(arm.lowMicroseconds);
    case High:
        return time(arm.highMicroseconds);
    case Factor:
        if (!isValue)
            return factorTextAt(index.row());
        return speedUp ? QVariant(speedUp->value) : QVariant();
    case FactorLow:
        return factor(&SpeedUp::low);
    case FactorHigh:
        return factor(&SpeedUp::high);
    case Samples:
        if (!arm.samples)
            return {};
        return isValue ? QVariant(*arm.samples) : QVariant(numberText(*arm.samples));
    case Measured:
        return arm.isLive      ? QStringLiteral("live")
               : arm.isDerived ? QStringLiteral("derived")
                               : QStringLiteral("stored");
    default:
        return {};
    }
}

QVariant SpeedupModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array names{"arm",      "class",        "median",        "low",     "high",
                                      "speed-up", "speed-up low", "speed-up high", "samples", "measured"};
    static constexpr std::array csvNames{"arm",     "class",       "median_us",    "low_us",  "high_us",
                                         "speedup", "speedup_low", "speedup_high", "samples", "measured"};
    const auto at = static_cast<std::size_t>(section);
    if (role == ValueRole)
        return QLatin1String(csvNames[at]);
    if (role != Qt::DisplayRole)
        return {};
    const QString name = QLatin1String(names[at]);
    return section >= Median && section <= High ? name + QStringLiteral(", ") + m_figures.times.unit : name;
}

} // namespace warpwright
