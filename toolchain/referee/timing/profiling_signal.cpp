// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of profiling.h that makes further calls after the blocks, which count in no time.
#include "referee/base/secret_seed.h"
#include "referee/base/stage_answer.h"
#include "referee/timing/config_sweep.h"
#include "referee/timing/profiled_calls.h"
#include "referee/timing/profiling.h"

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;
constexpr double mostDrawSeconds = 5.0;

} // namespace

// Where results hardly move with parameters of that scale, a result that was kept looks right; and what
// inputs always are, timed calls need not read. A batch more, which nobody counts, has parameters that carry
// the signal, and such inputs as others.
void Profiling::watchOthers() {
    const bool carriesSignal = m_session.weights().carriesSignal();
    const bool hasConstants = m_source.drawConstants && m_inputs->secondsToDrawAll() <= mostDrawSeconds;
    if (m_source.drawConstants && !hasConstants)
        StageAnswer(m_answer).doubt(
            "Inputs that get_inputs() always gives the same had no other values in timed calls: "
            "drawing takes too long. Whether those calls read them was not seen.");
    if (!carriesSignal && !hasConstants)
        return;
    m_atWork = "candidate";
    if (carriesSignal) {
        m_session.asTask([&] { m_session.weights().redraw(secretSeed(), {}); });
        m_session.handWeights(*m_worker);
    }
    m_callTimer->runAside(m_calls, limitSeconds, [&](const std::vector<int> &sets) {
        m_session.asTask([&] {
            if (!hasConstants)
                return m_inputs->refresh(sets);
            m_source.drawConstants(true);
            m_inputs->drawAll();
            m_source.drawConstants(false);
        });
        m_inputs->watch(sets);
    });
    m_examiner->compareTaken();
    m_worker->pause();
    rejectChangedInputs("after calls with other parameters or inputs");
    if (hasConstants && isCertify())
        m_session.asTask([&] { m_inputs->drawAll(); });
    m_atWork.clear();
}

void Profiling::callFurther() {
    callLater();
    if (StageAnswer(m_answer).isOpen())
        watchOthers();
    m_atWork.clear();
}

// Who knows which calls are timed, may be right in all others. A batch more, one of its calls made twice
// again, and those judged as in verification.
void Profiling::callLater() {
    if (!m_source.callLater)
        return;
    m_atWork = "candidate";
    m_examiner->keepNext();
    m_callTimer->runAside(m_calls, limitSeconds, [&](const std::vector<int> &sets) {
        m_session.asTask([&] { m_inputs->refresh(sets); });
        m_inputs->watch(sets);
    });
    m_examiner->compareTaken();
    const int set = m_examiner->setOfKept();
    StageAnswer stage(m_answer);
    if (set < 0 || !stage.isOpen())
        return;
    const Json &sets = m_inputs->sets();
    const auto place = static_cast<size_t>(set);
    const TimedCandidate::Later later =
        m_source.callLater(*m_worker, sets[place], sets[(place + 1) % sets.size()]);
    if (!later.wasAsked)
        stage.doubt(
            "Once it had been timed, the candidate was not compared with the reference again: there was no "
            "room, or the reference failed.");
    if (!later.complaint.empty())
        stage.settle(
            "wrong",
            "Once it had been timed, the candidate was wrong in a call like those that verified it. " +
                later.complaint,
            "Compute the same in every call.");
    m_examiner->compareWithLater(later, *m_worker);
    m_worker->call("release", Json::object(), limitSeconds);
    m_worker->pause();
    rejectChangedInputs("after calls that were not timed");
}

// On a CPU the launchers have one way to work.
void Profiling::sweepConfigs() {
    if (!m_wish.sweeps || isCertify() || m_session.device().memory != MemoryKind::Cuda)
        return;
    m_sweep = ConfigSweep(m_session, *m_callTimer, m_calls).run();
}

// In the first of several processes, after all that is timed there: the profiler stays in it.
void Profiling::askWhoseKernels() {
    if (!isCertify() || m_process > 0 || m_source.isStandIn || !m_worker->isAlive())
        return;
    StageAnswer stage(m_answer);
    m_provenance = kernelShares(m_session, *m_worker, m_inputs->sets()[0], stage);
}

} // namespace warpwright
