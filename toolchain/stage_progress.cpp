// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/stage_progress.h"

namespace warpwright {

StageClock::StageClock(const QString& file, QString scope) : m_durations(file), m_scope(std::move(scope)) {}

StageProgress StageClock::begin(const QString& stage, const QString& step, int index, int count)
{
    Running running;
    running.key = m_scope + QLatin1Char('|') + stage + QLatin1Char('|') + step;
    StageProgress progress{stage, step, index, count, 0, m_durations.lastSeconds(running.key)};
    // The same sub-step again: it goes on, and only its numbers changed.
    if (const auto found = m_running.constFind(stage);
        found != m_running.constEnd() && found->key == running.key) {
        progress.elapsedSeconds = static_cast<double>(found->clock.elapsed()) / 1000;
        return progress;
    }
    end(stage);
    running.clock.start();
    m_running.insert(stage, running);
    return progress;
}

void StageClock::end(const QString& stage)
{
    const auto found = m_running.constFind(stage);
    if (found == m_running.constEnd())
        return;
    m_durations.remember(found->key, static_cast<double>(found->clock.elapsed()) / 1000);
    m_running.erase(found);
}

void StageClock::abandon()
{
    m_running.clear();
}

} // namespace warpwright
