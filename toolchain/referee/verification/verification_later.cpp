// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that is asked once more after calls were timed: who knows then that verification
// is over may compute less from there on.
#include "referee/base/secret_seed.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/verification/verification.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/clone.h>

#include <utility>
#include <vector>

namespace warpwright {

namespace {

constexpr int fill = 0xff;                   ///< of the candidate's new memory: NaN in every format
constexpr double mostReferenceSeconds = 1.0; ///< of a call, to be asked for more than it has to

} // namespace

// The parameters are those that were timed, the inputs lie where they lay.
TimedCandidate::Later Verification::callLater(WorkerProcess &candidate, const Json &inputs,
                                              const Json &others) {
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
    if (later.complaint.empty() && m_isRightAtScales && m_referenceSeconds < mostReferenceSeconds)
        later.complaint = complaintAtOtherScales(candidate, inputs);
    // Who was right by a hair may be wrong by a hair.
    if (!later.complaint.empty() && m_stage.isOpen())
        later.complaint = complaintAtOtherScales(candidate, others);
    m_session.keepArm(m_session.oracleArm(), std::move(m_oracle));
    return later;
}

// Who guesses from what get_inputs draws was not caught by those.
std::string Verification::complaintAtOtherScales(WorkerProcess &candidate, const Json &inputs) {
    const SharedRegion &region = m_session.inputs();
    std::vector<std::pair<at::Tensor, at::Tensor>> before; // where, what
    for (const ValueLeaf &leaf : leavesOf(inputs, "input")) {
        if (!leaf.isTensor())
            continue;
        const at::Tensor here =
            tensorAt(withoutRepeats(leaf.node), region.base(), region.bytes(), region.kind());
        before.emplace_back(here, here.clone());
    }
    VerificationRound round;
    round.inputs = inputs;
    round.hasOwnWeights = m_session.weights().areOthers();
    std::string complaint;
    try {
        m_session.asTask([&] {
            if (stressInputs(inputs, region, Stress::Scales, secretSeed()))
                runTrusted(round);
        });
        if (!round.reference.empty()) {
            const Json ran = candidate.call(
                "run", {{"inputs", inputs}, {"clone", m_session.clonesInputs()}, {"fill", fill}},
                10.0 + 20.0 * m_referenceSeconds);
            candidate.pause();
            round.candidate = leavesOf(ran.at("outputs"), "output");
            if (round.candidate.size() == round.reference.size())
                complaint = m_judge->complaintAbout(round, candidate, *m_oracle);
            releaseTrusted();
        }
    } catch (const Fault &) {
        // With these parameters the reference takes no such inputs.
    }
    for (auto &[here, was] : before)
        here.copy_(was);
    return complaint.empty()
               ? std::string()
               : "Inputs had other sizes than get_inputs draws, for which it was right before: " + complaint +
                     ".";
}

} // namespace warpwright
