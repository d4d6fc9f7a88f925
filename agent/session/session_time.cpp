// SPDX-License-Identifier: GPL-3.0-or-later
// A session's clock: which of its minutes count, where it stands still, and which state a measurement brings
// it to.
#include "agent/session/session.h"

namespace warpwright {

// Minutes are those in which the run works, and not those in which it waits for a person.
void Session::countTime() {
    const bool waitsForStep = m_state == SessionState::Scored && m_before && m_before->isPending;
    const bool works = !m_isPaused && m_state != SessionState::Idle && m_state != SessionState::Ended &&
                       m_state != SessionState::AwaitingReview && !waitsForStep && m_prompts.empty();
    if (m_clock.isValid())
        m_meter.minutes += static_cast<double>(m_clock.elapsed()) / 60'000;
    m_clock.invalidate();
    m_limit.stop();
    if (!works)
        return;
    m_clock.start();
    if (m_setup.budgets.minutes)
        m_limit.start(
            std::max(1, static_cast<int>((*m_setup.budgets.minutes - m_meter.minutes) * 60'000) + 1));
}

// The state is that of the measurement which the run waits for; and so is the time that it takes.
void Session::followStage(int number, const StageProgress &now) {
    const auto found = m_measurements.find(number);
    if (found == m_measurements.end() || m_ending)
        return;
    emit progress(now);
    const Purpose &purpose = found->second;
    // While a person reads, what is measured beside that is not what the run waits for.
    const bool isAwaited = (purpose.isBase && (!m_review || m_waitsForPolicy)) ||
                           (m_waitsForPolicy && purpose.subject.of == EvaluationSubject::Of::Proposal) ||
                           (m_waitsForScore && purpose.textHash == textHashOf(m_texts));
    if (!isAwaited)
        return;
    // Neither others' time on the device nor the judge, once for all runs, is of this run's minutes.
    if (now.wait || isOfJudgeBuild(now)) {
        if (m_clock.isValid()) {
            m_meter.minutes += static_cast<double>(m_clock.elapsed()) / 60'000;
            m_clock.invalidate();
            m_limit.stop();
            emit meterChanged();
        }
        return;
    }
    if (!m_clock.isValid())
        countTime();
    if (now.stage == QLatin1String("compile"))
        setState(SessionState::Compiling);
    else if (now.stage == QLatin1String("verify"))
        setState(SessionState::Verifying);
    else if (now.stage == QLatin1String("profile"))
        setState(SessionState::Profiling);
}

void Session::pause() {
    if (m_isPaused || m_ending || m_state == SessionState::Ended)
        return;
    m_isPaused = true;
    countTime();
    record(QStringLiteral("run-paused"), Json{{"why", "the person paused it"}});
    emit pausedChanged(true, {});
}

void Session::resume() {
    if (!m_isPaused || m_ending)
        return;
    m_isPaused = false;
    countTime();
    record(QStringLiteral("run-resumed"), Json{{"why", "the person resumed it"}});
    emit pausedChanged(m_isPaused, {});
    for (const auto &act : std::exchange(m_held, {}))
        goOn(act);
}

} // namespace warpwright
