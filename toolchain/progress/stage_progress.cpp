// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/progress/stage_progress.h"

namespace warpwright {
namespace {

const QString judgeBuild = QStringLiteral("build the judge: ");

QString judgeText(const StageProgress &progress) {
    QString text = QStringLiteral("The judge is compiled once for this machine");
    if (progress.count > 0)
        text += QStringLiteral(": step %1 of %2").arg(progress.index).arg(progress.count);
    const QString left = progress.step.mid(judgeBuild.size());
    return left.isEmpty() ? text : text + QStringLiteral(", ") + left;
}

} // namespace

QString stepText(const StageProgress &progress) {
    if (!progress.wait)
        return isOfJudgeBuild(progress) ? judgeText(progress) : progress.step;
    const QString text = waitText(*progress.wait, QDateTime::currentDateTimeUtc());
    return isOfJudgeBuild(progress) ? text + QStringLiteral(" · ") + judgeText(progress) : text;
}

QString judgeBuildStep(const QString &what) {
    return judgeBuild + what;
}

bool isOfJudgeBuild(const StageProgress &progress) {
    return progress.step.startsWith(judgeBuild);
}

StageClock::StageClock(const QString &file, QString scope) : m_durations(file), m_scope(std::move(scope)) {}

QString StageClock::keyOf(const QString &stage, const QString &step) const {
    return m_scope + QLatin1Char('|') + stage + QLatin1Char('|') + step;
}

std::optional<int> StageClock::lastCount(const QString &stage, const QString &what) const {
    const std::optional<double> count = lastSeconds(stage, what);
    return count && *count >= 1 && *count < 1000 ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

// Beside the durations, under a name that no step has.
void StageClock::rememberCount(const QString &stage, const QString &what, int count) {
    m_durations.remember(keyOf(stage, what), count);
}

StageProgress StageClock::begin(const QString &stage, const QString &step, int index, int count) {
    StageProgress progress{stage, step, index, count, 0, m_durations.lastSeconds(keyOf(stage, step))};
    QHash<QString, QElapsedTimer> &running = m_running[stage];
    if (const auto found = running.constFind(step); found != running.constEnd())
        progress.elapsedSeconds = static_cast<double>(found->elapsed()) / 1000;
    else
        running[step].start();
    return progress;
}

void StageClock::end(const QString &stage, const QString &step) {
    QHash<QString, QElapsedTimer> &running = m_running[stage];
    if (const auto found = running.constFind(step); found != running.constEnd()) {
        m_durations.remember(keyOf(stage, step), static_cast<double>(found->elapsed()) / 1000);
        running.erase(found);
    }
}

void StageClock::end(const QString &stage) {
    for (const QString &step : m_running.value(stage).keys())
        end(stage, step);
}

} // namespace warpwright
