// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of profiling.h that looks at calls whose results tell what came in.
#include "referee/profiling.h"

#include "referee/timed_outputs.h"

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;

} // namespace

// Where results hardly move with parameters of that scale, a result that was kept looks right. A batch more,
// which nobody counts, has parameters that carry the signal.
void Profiling::watchSignal() {
    if (!m_session.weights().carriesSignal())
        return;
    m_session.asTask([&] { m_session.weights().redraw(TaskSession::secretSeed(), {}); });
    m_atWork = "candidate";
    m_session.handWeights(*m_worker);
    TimedOutputs outputs(m_session, m_answer, m_inputs->sets(), m_source.allowedDifference,
                         m_source.allowedWhole);
    const std::vector<int> order =
        m_callTimer->runAside(m_calls, limitSeconds, [&](const std::vector<int> &sets) {
            m_session.asTask([&] { m_inputs->refresh(sets); });
            m_inputs->watch(sets);
        });
    outputs.check(0, m_calls, order, m_callTimer->ringFor(order));
    m_worker->pause();
    rejectChangedInputs("after calls with other parameters");
    m_checkedOutputs += outputs.checked();
    m_atWork.clear();
}

} // namespace warpwright
