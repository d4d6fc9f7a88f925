// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/lesson/lesson_times_model.h"

#include "profiler_views/value_role.h"
#include "widgets/plot/log_ticker.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpwright {
namespace {

/// More of them than any clock gives would only look exact.
double withDigits(double value) {
    return QString::number(value, 'g', 5).toDouble();
}

} // namespace

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

std::vector<double> LessonTimesModel::shownTimes() const {
    std::vector<double> all;
    for (const StepTimes &step : m_times.steps) {
        if (step.measured)
            for (const double time : {step.measured->medianMicroseconds, step.measured->highMicroseconds})
                all.push_back(time);
        for (const std::optional<ArmTiming> *time : {&step.expected, &step.bet})
            if (*time)
                all.push_back((*time)->medianMicroseconds);
        if (step.base)
            all.push_back(*step.base);
    }
    all.erase(std::remove_if(all.begin(), all.end(), [](double time) { return !(time > 0); }), all.end());
    return all;
}

bool LessonTimesModel::isLogarithmic() const {
    const std::vector<double> all = shownTimes();
    return !all.empty() &&
           needsLogAxis(*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end()));
}

double LessonTimesModel::axisStart() const {
    if (!isLogarithmic())
        return 0;
    const std::vector<double> all = shownTimes();
    // A round number, so that the shortest bar can be seen.
    const double least = 0.7 * *std::min_element(all.begin(), all.end());
    const double power = std::pow(10, std::floor(std::log10(least)));
    return power * (least >= 5 * power ? 5 : least >= 2 * power ? 2 : 1);
}

double LessonTimesModel::axisEnd() const {
    const std::vector<double> all = shownTimes();
    return all.empty() ? 1 : 1.06 * *std::max_element(all.begin(), all.end());
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
        if (step.base)
            parts << QStringLiteral("the text before in the same run ") + m_scale.text(*step.base);
        if (!step.factor.isEmpty())
            parts << step.factor + QStringLiteral(" as fast as it");
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
        if (step.base)
            lines << QStringLiteral("the text before, in the same run: %1").arg(m_scale.text(*step.base));
        if (!step.factor.isEmpty())
            lines << QStringLiteral("%1 as fast as the text before").arg(step.factor);
        if (!step.outcome.isEmpty())
            lines << step.outcome;
        return lines.join(QLatin1Char('\n'));
    }
    if (role != Qt::DisplayRole && !isValue)
        return {};
    const auto number = [&](double microseconds) {
        return isValue ? QVariant(withDigits(microseconds)) : QVariant(m_scale.number(microseconds));
    };
    const auto time = [&](const std::optional<ArmTiming> &of, double ArmTiming::*part) {
        if (!of)
            return QVariant();
        return number((*of).*part);
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
    case Base:
        return step.base ? number(*step.base) : QVariant();
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
        "step",          "title",          "measured", "low",     "high",   "before", "predicted",
        "predicted low", "predicted high", "bet",      "outcome", "lesson", "device", "date"};
    static constexpr std::array csvNames{"step",
                                         "title",
                                         "measured_us",
                                         "low_us",
                                         "high_us",
                                         "before_us",
                                         "predicted_us",
                                         "predicted_low_us",
                                         "predicted_high_us",
                                         "bet_us",
                                         "outcome",
                                         "lesson",
                                         "device",
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
