// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that tries inputs which nobody draws.
#include "referee/base/secret_seed.h"
#include "referee/verification/reference_values.h"
#include "referee/verification/verification.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpwright {

namespace {

constexpr int fill = 0xff; ///< of the candidate's new memory: NaN in every format

// Operators that find elements by numbers that may come from inputs.
constexpr const char *lookUps[] = {"gather", "index", "embedding", "scatter", "take", "put", "nll_loss"};
const ArmSpec stressSpec{"stress", "strict", false, false};
constexpr int64_t allNumbers = 1, fewNumbers = 2; // of inputs that are always the same

} // namespace

// What get_inputs() does not draw decides nothing, unless the task asks for IEEE behaviour. What it always
// gives is read all the same: who takes a mask of ones for none computes something else.
void Verification::stress() {
    const Phases::Span span(m_session.phases(), "stress");
    m_session.progress()("verify", "inputs outside of get_inputs", 8, 8);
    for (const auto &[kind, factor] : {std::pair{Stress::Constants, allNumbers},
                                       {Stress::Constants, fewNumbers},
                                       {Stress::Scales, 1},
                                       {Stress::Specials, 1}}) {
        if (!m_stage.isOpen() || !runStress(kind, factor))
            return;
    }
    m_wasStretched = false;
    for (const int64_t factor : stretches) {
        if (!m_stage.isOpen() || m_wasStretched || !runStress(Stress::WholeNumbers, factor))
            return;
    }
}

// On a GPU an index out of bounds ends all that its process has on the device, and NaN is one. Where the
// reference looks elements up, a process that nobody needs takes such inputs first; larger whole numbers
// always: any of them may be a class or a place.
bool Verification::isForThisTask(const VerificationRound &stressed, Stress kind) {
    const Json operators = m_session.facts().value("operators", Json::object());
    const bool looksUp =
        std::any_of(operators.items().begin(), operators.items().end(), [](const auto &entry) {
            return std::any_of(std::begin(lookUps), std::end(lookUps),
                               [&](const char *word) { return entry.key().find(word) != std::string::npos; });
        });
    if (m_session.device().memory != MemoryKind::Cuda || !(looksUp || kind == Stress::WholeNumbers))
        return true;
    if (m_session.areStressInputsRefused(describe(kind)))
        return false;
    try {
        std::unique_ptr<WorkerProcess> first = m_session.takeArm(stressSpec);
        first->call("run",
                    {{"inputs", stressed.inputs}, {"clone", m_session.clonesInputs()}, {"mode", "strict"}},
                    referenceLimitSeconds);
        first->call("release", Json::object(), 60.0);
        m_session.keepArm(stressSpec, std::move(first));
        return true;
    } catch (const WorkerFault &) {
        m_session.refuseStressInputs(describe(kind));
        return false;
    }
}

bool Verification::runStress(Stress kind, int64_t factor) {
    VerificationRound round;
    round.fill = fill;
    // False: such inputs are not for this task.
    const auto isTried = [&](const auto &work) {
        try {
            m_session.asTask(work);
            return !round.reference.empty();
        } catch (const Fault &) {
            return false;
        }
    };
    const auto isTaskAlive = [&] {
        return m_session.reference().isAlive() && m_oracle->isAlive();
    };
    m_candidate->pause();
    if (!isTried([&] {
            const uint64_t seed = secretSeed();
            const bool isConstant = kind == Stress::Constants;
            if (isConstant && !m_parts.drawConstants(factor == fewNumbers))
                return;
            round.inputs = m_session.drawInputs(seed);
            if (isConstant)
                m_parts.draw(TaskParts::Drawn::AsTheyAre);
            else if (kind == Stress::WholeNumbers
                         ? !stretchWholeNumbers(round.inputs, m_session.inputs(), factor, seed)
                         : !stressInputs(round.inputs, m_session.inputs(), kind, seed))
                return;
            m_drawn.remember();
            if (isForThisTask(round, kind))
                runReferenceAlone(round);
        }))
        return isTaskAlive();
    m_wasStretched = kind == Stress::WholeNumbers;
    if (m_wasStretched && !haveUsualShapes(round, m_session.facts())) {
        release(0); // sizes of what the reference makes of them: another task
        return true;
    }
    std::string complaint;
    try {
        const Json ran =
            m_candidate->call("run", {{"inputs", round.inputs}, {"clone", m_session.clonesInputs()}},
                              10.0 + 20.0 * m_referenceSeconds);
        round.candidate = leavesOf(ran.at("outputs"), "output");
        if (round.candidate.size() == round.reference.size())
            complaint = m_judge->complaintAbout(round, *m_candidate, *m_oracle);
        // Only where the two disagree is the oracle asked who is right. On a CPU it is the slowest of all.
        if (!complaint.empty()) {
            m_candidate->pause();
            if (!m_drawn.putBack())
                return isTaskAlive(); // it has written there, and nobody has them any more
            if (!isTried([&] {
                    if (!m_session.isRoomy())
                        releaseTrusted();
                    runTrusted(round);
                }))
                return isTaskAlive();
            complaint = m_judge->complaintAbout(round, *m_candidate, *m_oracle);
        }
    } catch (const WorkerFault &fault) {
        // Larger places may lie outside of a memory that get_inputs() has made for its own.
        if (kind == Stress::WholeNumbers && fault.kind == WorkerFault::Kind::Died) {
            m_stage.doubt(std::string("Stress inputs that get_inputs does not draw (") + describe(kind) +
                          "): the candidate's process " + fault.message + ".");
            m_candidate.reset();
            releaseTrusted();
            return false;
        }
        if (fault.kind != WorkerFault::Kind::Raised)
            throw;
        complaint = "the candidate raised " + fault.type + ": " + fault.message.substr(0, 200);
    }
    release(0);
    m_readsConstants = m_readsConstants || (kind == Stress::Constants && complaint.empty());
    m_isRightAtScales = m_isRightAtScales || (kind == Stress::Scales && complaint.empty());
    if (complaint.empty())
        return true;
    const std::string text = std::string("(") + describe(kind) + "): " + complaint + ".";
    if (kind == Stress::Constants)
        m_stage.settle(
            "wrong",
            "The candidate differs from the reference where an input that get_inputs() always gives "
            "the same has other values " +
                text,
            "Read every input in each call: it is an argument, not a constant.");
    else if (m_session.asksForIeee())
        m_stage.settle("wrong", "The candidate differs from the reference for stress inputs " + text,
                       "The task asks for IEEE behaviour (`ieee` in .warpwright/task.json): treat NaN, "
                       "infinities and denormal numbers as the reference does.");
    else
        m_stage.doubt("Stress inputs that get_inputs does not draw " + text);
    return true;
}

} // namespace warpwright
