// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that works where not all have room at once.
#include "referee/verification/verification.h"

#include <utility>

namespace warpwright {

// One after the other, each giving back what it no longer needs.
void Verification::runOracle(VerificationRound &round, const Json &request) {
    const MemoryPlan::Oracle kind = m_session.memoryPlan().oracle;
    std::string whyNone;
    round.oracle.clear(); // of a call before
    round.exact = nullptr;
    const auto tried = [&](const auto &work) {
        try {
            work();
        } catch (const WorkerFault &fault) {
            if (fault.kind != WorkerFault::Kind::Raised || fault.outOfMemory)
                throw;
            whyNone = fault.message.substr(0, 200);
        }
    };
    if (kind == MemoryPlan::Oracle::OnCpu)
        m_session.copyInputsToHost();
    if (kind == MemoryPlan::Oracle::OnCpu || kind == MemoryPlan::Oracle::Whole)
        tried([&] {
            round.oracle =
                leavesOf(m_oracle->call("run", request, referenceLimitSeconds).at("outputs"), "output");
        });
    m_session.trim(*m_oracle);
    runReference(round, request);
    if (m_pieces)
        tried([&] { runOraclePieces(round); });
    round.hasOracle = !round.oracle.empty();
    if (round.hasOracle)
        return;
    measureByReference(round);
    if (!whyNone.empty() && !std::exchange(m_saidNoOracle, true))
        m_stage.doubt("The reference does not run in fp64 (" + whyNone +
                      "); errors are measured against the reference itself.");
}

void Verification::runOraclePieces(VerificationRound &round) {
    if (!m_pieces->areRowsTheirOwn(round)) {
        Fault dependent("environment", "The fp64 oracle has no room on this device.",
                        "One call in fp64 does not fit, and the result's rows depend on each other.",
                        "Make the task's inputs smaller.");
        dependent.outOfMemory = true; // the next plan has no pieces
        throw dependent;
    }
    m_pieces->begin(round);
    round.oracle = round.reference;
    round.exact = [this](size_t output) {
        return m_pieces->values(output);
    };
    round.forgetExact = [this] {
        m_pieces->forget();
    };
}

// Where results could not stay from round to round, or are of inputs that are gone: twice more on the inputs
// that are there.
void Verification::watchLaterCall() {
    if (!m_stage.isOpen() || (m_session.isRoomy() && !m_areInputsOthers))
        return;
    const auto call = [&] {
        return leavesOf(
            m_candidate
                ->call("run", {{"inputs", m_lastInputs}, {"clone", false}}, 10.0 + 20.0 * m_referenceSeconds)
                .at("outputs"),
            "output");
    };
    VerificationRound round;
    round.number = static_cast<int>(m_answer["rounds"].size());
    round.candidate = call();
    m_memory->watch(round, *m_candidate);
    (void)call();
    m_memory->watchEarlier(*m_candidate);
    m_candidate->call("release", {{"last", 1}}, 60.0);
}

} // namespace warpwright
