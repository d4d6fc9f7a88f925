// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that is asked once more after calls were timed: who knows then that verification
// is over may compute less from there on.
#include "referee/verification.h"

#include <utility>

namespace warpwright {

namespace {

constexpr int fill = 0xff; ///< of the candidate's new memory: NaN in every format

} // namespace

// The parameters are those that were timed, the inputs lie where they lay.
TimedCandidate::Later Verification::callLater(WorkerProcess &candidate, const Json &inputs) {
    TimedCandidate::Later later;
    const Json request{{"inputs", inputs}, {"clone", m_session.clonesInputs()}, {"fill", fill}};
    const double limit = 10.0 + 20.0 * m_referenceSeconds;
    const Json again = candidate.call("run", request, limit);
    const Json ran = candidate.call("run", request, limit);
    candidate.pause();
    later.again = leavesOf(again.at("outputs"), "output");
    later.results = leavesOf(ran.at("outputs"), "output");
    if (shapeOfTree(ran.at("outputs")) != shapeOfTree(m_session.facts().value("outputs", Json::object()))) {
        later.complaint = "The candidate returns " + shapeOfTree(ran.at("outputs")) + " once it was timed.";
        return later;
    }
    VerificationRound round;
    round.fill = fill;
    round.inputs = inputs;
    round.hasOwnWeights = m_session.weights().areOthers();
    round.candidate = later.results;
    try {
        m_session.asTask([&] {
            m_oracle = m_session.takeArm(m_session.oracleArm());
            m_session.weights().give(*m_oracle);
            runTrusted(round);
        });
    } catch (const Fault &) {
        later.wasAsked = false;
        return later;
    }
    m_judge->judge(round, candidate, *m_oracle);
    if (!m_stage.isOpen())
        later.complaint = m_answer.value("reason", "");
    releaseTrusted();
    m_session.keepArm(m_session.oracleArm(), std::move(m_oracle));
    return later;
}

} // namespace warpwright
