// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that tries inputs which nobody draws.
#include "referee/base/secret_seed.h"
#include "referee/verification/reference_values.h"
#include "referee/verification/verification.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace warpwright {

namespace {

constexpr int fill = 0xff;                        ///< of the candidate's new memory: NaN in every format
constexpr int64_t allNumbers = 1, fewNumbers = 2; // of inputs that are always the same

std::string firstLine(const std::string &text) {
    return text.substr(0, std::min(text.find('\n'), size_t{300}));
}

std::string doubtOfLeftOut(StressKind kind, const std::string &why) {
    return std::string("Stress inputs that get_inputs does not draw (") + describe(kind.stress) +
           ") ended the reference's process, which was started anew; they are left out. " + firstLine(why);
}

bool areStressed(const VerificationRound &round, const SharedRegion &inputs, StressKind kind) {
    return kind.stress == Stress::WholeNumbers
               ? stretchWholeNumbers(round.inputs, inputs, kind.factor, round.seed)
               : stressInputs(round.inputs, inputs, kind.stress, round.seed);
}

// Larger places may lie outside of a memory that get_inputs() has made for its own.
bool mayHappenUnder(StressKind kind, const WorkerFault &fault) {
    return fault.kind == WorkerFault::Kind::Raised ||
           (fault.kind == WorkerFault::Kind::Died && kind.stress == Stress::WholeNumbers);
}

std::string complaintOf(const WorkerFault &fault) {
    return fault.kind == WorkerFault::Kind::Raised
               ? "the candidate raised " + fault.type + ": " + fault.message.substr(0, 200)
               : "the candidate's process " + fault.message;
}

void settleStress(StageAnswer &stage, bool asksForIeee, StressKind kind, const std::string &complaint) {
    const std::string text = std::string("(") + describe(kind.stress) + "): " + complaint + ".";
    if (kind.stress == Stress::Constants)
        stage.settle("wrong",
                     "The candidate differs from the reference where an input that get_inputs() always gives "
                     "the same has other values " +
                         text,
                     "Read every input in each call: it is an argument, not a constant.");
    else if (asksForIeee && kind.stress != Stress::WholeNumbers)
        stage.settle("wrong", "The candidate differs from the reference for stress inputs " + text,
                     "The task asks for IEEE behaviour (`ieee` in .warpwright/task.json): treat NaN, "
                     "infinities and denormal numbers as the reference does.");
    else
        stage.doubt("Stress inputs that get_inputs does not draw " + text);
}

} // namespace

// What get_inputs() does not draw decides nothing, unless the task asks for IEEE behaviour. What it always
// gives is read all the same: who takes a mask of ones for none computes something else.
void Verification::stress() {
    const Phases::Span span(m_session.phases(), "stress");
    m_session.progress()("verify", "inputs outside of get_inputs", 8, 8);
    bool goesOn = true;
    const auto run = [&](StressKind kind) {
        goesOn = goesOn && m_stage.isOpen() && runStress(kind);
    };
    run({Stress::Constants, allNumbers});
    run({Stress::Constants, fewNumbers});
    run({Stress::Scales});
    run({Stress::Specials});
    m_wasStretched = false;
    if (goesOn && m_stage.isOpen()) {
        m_candidate->pause();
        const auto isTaken = [&](StressKind kind) {
            VerificationRound round;
            bool isDrawn = false;
            return isDoneByTrusted(kind, [&] { isDrawn = drawStress(round, kind); }) && isDrawn;
        };
        for (const int64_t factor : m_spare.stretchesToTry(isTaken)) {
            if (!m_wasStretched)
                run({Stress::WholeNumbers, factor});
        }
    }
    m_spare.end();
}

// Into the round, from the seed of those that the reference took before. False: they are not for this task.
bool Verification::drawStress(VerificationRound &round, StressKind kind) {
    const KnownStressInputs before = m_spare.known(kind);
    if (before.areRefused)
        return false;
    const bool isConstant = kind.stress == Stress::Constants;
    round.seed = before.seed ? *before.seed : secretSeed();
    if (isConstant && !m_parts.drawConstants(kind.factor == fewNumbers))
        return false;
    round.inputs = m_session.drawInputs(round.seed);
    if (isConstant)
        m_parts.draw(TaskParts::Drawn::AsTheyAre);
    else if (!areStressed(round, m_session.inputs(), kind))
        return false;
    m_drawn.remember();
    return before.seed || !m_spare.isNeeded() || m_spare.takes(round, kind);
}

// By the reference and the oracle. False: it is not, and they are as they were.
bool Verification::isDoneByTrusted(StressKind kind, const std::function<void()> &work) {
    try {
        m_session.asTask(work);
        return true;
    } catch (const Fault &fault) {
        leaveOut(kind, fault.why);
        if (kind.stress == Stress::Constants)
            m_session.asTask([&] { m_parts.draw(TaskParts::Drawn::AsTheyAre); });
        return false;
    }
}

// Inputs that have ended the reference's process or the oracle's: the judge's doing, not the task's. False:
// both live.
bool Verification::leaveOut(StressKind kind, const std::string &why) {
    if (!startTrustedAnew())
        return false;
    m_spare.known(kind).areRefused = true;
    m_wasStretched = m_wasStretched || kind.stress == Stress::WholeNumbers; // one process is enough
    m_stage.doubt(doubtOfLeftOut(kind, why));
    return true;
}

bool Verification::runStress(StressKind kind) {
    VerificationRound round;
    round.fill = fill;
    m_candidate->pause();
    const bool isTaken = isDoneByTrusted(kind, [&] {
        if (drawStress(round, kind))
            runReferenceAlone(round);
    });
    if (!isTaken || round.reference.empty())
        return true;
    m_wasStretched = kind.stress == Stress::WholeNumbers;
    if (m_wasStretched && !haveUsualShapes(round, m_session.facts())) {
        release(0); // sizes of what the reference makes of them: another task
        return true;
    }
    const std::optional<std::string> complaint = complaintUnderStress(round, kind);
    m_candidate ? release(0) : releaseTrusted();
    if (complaint && complaint->empty()) {
        m_readsConstants = m_readsConstants || kind.stress == Stress::Constants;
        m_isRightAtScales = m_isRightAtScales || kind.stress == Stress::Scales;
    } else if (complaint) {
        settleStress(m_stage, m_session.asksForIeee(), kind, *complaint);
    }
    return m_candidate != nullptr;
}

// Empty: there is none. Nothing: nobody can say. The candidate's process is gone where nothing more can be
// asked of it.
std::optional<std::string> Verification::complaintUnderStress(VerificationRound &round, StressKind kind) {
    try {
        const Json ran =
            m_candidate->call("run", {{"inputs", round.inputs}, {"clone", m_session.clonesInputs()}},
                              10.0 + 20.0 * m_referenceSeconds);
        round.candidate = leavesOf(ran.at("outputs"), "output");
        if (round.candidate.size() != round.reference.size())
            return std::string();
        std::string complaint = m_judge->complaintAbout(round, *m_candidate, *m_oracle);
        if (complaint.empty())
            return complaint;
        // Only where the two disagree is the oracle asked who is right. On a CPU it is the slowest of all.
        m_candidate->pause();
        if (!m_drawn.putBack())
            return std::nullopt; // it has written there, and nobody has them any more
        if (!isDoneByTrusted(kind, [&] {
                if (!m_session.isRoomy())
                    releaseTrusted();
                runTrusted(round);
            }))
            return std::nullopt;
        return m_judge->complaintAbout(round, *m_candidate, *m_oracle);
    } catch (const Fault &fault) {
        // In another precision they may come to an index that they did not come to before.
        if (!leaveOut(kind, fault.why))
            throw;
        return std::nullopt;
    } catch (const WorkerFault &fault) {
        if (!mayHappenUnder(kind, fault))
            throw;
        // On a GPU it raises there, and would raise in each timed call.
        if (fault.kind == WorkerFault::Kind::Died || !m_candidate->whyDeviceIsLost().empty())
            m_candidate.reset();
        return complaintOf(fault);
    }
}

} // namespace warpwright
