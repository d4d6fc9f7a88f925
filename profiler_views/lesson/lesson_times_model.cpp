// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/lesson/lesson_times_model.h"

#include "profiler_views/value_role.h"

#include <QLocale>

#include <algorithm>
#include <array>

namespace warpwright {

bool LessonTimes::hasMeasured() const {
    return std::any_of(steps.begin(), steps.end(),
                       [](const StepTimes &step) { return step.measured.has_value(); });
}

QString LessonTimes::origin() const {
    QStringList parts{lesson};
    if (!device.isEmpty())
        parts << device;
    if (when.isValid())
        parts << QLocale::c().toString(when.toLocalTime().date(), QStringLiteral("d MMM yyyy"));
    return parts.join(QStringLiteral(" · "));
}

void LessonTimesModel::setTimes(const LessonTimes &times) {
    beginResetModel();
    m_times = times;
    // The last ones are the small ones, and need the decimals.
    m_scale = TimeScale();
    for (const StepTimes &step : times.steps)
        if (step.measured)
            m_scale = timeScaleOf(step.measured->medianMicroseconds, step.measured->lowMicroseconds,
                                  step.measured->highMicroseconds);
    endResetModel();
}

double LessonTimesModel::axisEnd() const {
    double end = 0;
    for (const StepTimes &step : m_times.steps) {
        if (step.measured)
            end = std::max(end, step.measured->highMicroseconds);
        if (step.expected)
            end = std::max(end, step.expected->medianMicroseconds);
        if (step.bet)
            end = std::max(end, step.bet->medianMicroseconds);
    }
    return end > 0 ? 1.06 * end : 1;
}

QString LessonTimesModel::summary() const {
    QStringList sentences{m_times.origin() + QLatin1Char('.')};
    for (const StepTimes &step : m_times.steps) {
        QStringList parts;
        if (step.measured)
            parts << QStringLiteral("measured ") + m_scale.withSpread(step.measured->medianMicroseconds,
                                                                      step.measured->lowMicroseconds,
                                                                      step.measured->highMicroseconds);
        if (step.expected)
            parts << QStringLiteral("predicted ") + m_scale.text(step.expected->medianMicroseconds);
        if (step.bet)
            parts << QStringLiteral("bet ") + m_scale.text(step.bet->medianMicroseconds);
        if (!step.outcome.isEmpty())
            parts << step.outcome;
        if (!parts.isEmpty())
            sentences << (step.number > 0 ? QStringLiteral("Step %1, %2: ").arg(step.number).arg(step.title)
                                          : step.title + QStringLiteral(": ")) +
                             parts.join(QStringLiteral(", ")) + QLatin1Char('.');
    }
    return sentences.join(QLatin1Char(' '));
}

int LessonTimesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_times.steps.size());
}

int LessonTimesModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LessonTimesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const StepTimes &step = m_times.steps[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool isValue = role == ValueRole;
    if (role == Qt::TextAlignmentRole)
        return QVariant((column >= Median && column <= Bet ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        QStringList lines{step.number > 0 ? QStringLiteral("%1 %2").arg(step.number).arg(step.title)
                                          : step.title};
        const auto add = [&](const QString &what, const std::optional<ArmTiming> &time) {
            if (!time)
                return;
            lines << QStringLiteral("%1 %2").arg(what, m_scale.text(time->medianMicroseconds));
            if (time->lowMicroseconds < time->highMicroseconds)
                lines.last() += QStringLiteral(", %1 %2").arg(
                    m_scale.interval(time->lowMicroseconds, time->highMicroseconds), m_scale.unit);
        };
        add(QStringLiteral("measured"), step.measured);
        add(QStringLiteral("predicted"), step.expected);
        add(QStringLiteral("your bet"), step.bet);
        if (!step.outcome.isEmpty())
            lines << step.outcome;
        return lines.join(QLatin1Char('\n'));
    }
    if (role != Qt::DisplayRole && !isValue)
        return {};
    const auto time = [&](const std::optional<ArmTiming> &of, double ArmTiming::*part) {
        if (!of)
            return QVariant();
        const double microseconds = (*of).*part;
        return isValue ? QVariant(microseconds) : QVariant(m_scale.number(microseconds));
    };
    switch (column) {
    case Number:
        return step.number;
    case Title:
        return step.title;
    case Median:
        return time(step.measured, &ArmTiming::medianMicroseconds);
    case Low:
        return time(step.measured, &ArmTiming::lowMicroseconds);
    case High:
        return time(step.measured, &ArmTiming::highMicroseconds);
    case Expected:
        return time(step.expected, &ArmTiming::medianMicroseconds);
    case ExpectedLow:
        return time(step.expected, &ArmTiming::lowMicroseconds);
    case ExpectedHigh:
        return time(step.expected, &ArmTiming::highMicroseconds);
    case Bet:
        return time(step.bet, &ArmTiming::medianMicroseconds);
    case Outcome:
        return step.outcome;
    case Lesson:
        return m_times.lesson;
    case Device:
        return m_times.device;
    case Date:
        return m_times.when.isValid() ? m_times.when.toUTC().toString(Qt::ISODate) : QString();
    default:
        return {};
    }
}

QVariant LessonTimesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array names{
        "step",           "title", "measured", "low",    "high",   "predicted", "predicted low",
        "predicted high", "bet",   "outcome",  "lesson", "device", "date"};
    static constexpr std::array csvNames{"step",    "title",        "measured_us",      "low_us",
                                         "high_us", "predicted_us", "predicted_low_us", "predicted_high_us",
                                         "bet_us",  "outcome",      "lesson",           "device",
                                         "date"};
    const auto at = static_cast<std::size_t>(section);
    if (role == ValueRole)
        return QLatin1String(csvNames[at]);
    if (role != Qt::DisplayRole)
        return {};
    const QString name = QLatin1String(names[at]);
    return section >= Median && section <= Bet ? name + QStringLiteral(", ") + m_scale.unit : name;
}

} // namespace warpwright
