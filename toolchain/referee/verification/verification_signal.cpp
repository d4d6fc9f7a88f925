// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that says which parameters the rounds have, and whether they prove anything.
#include "referee/base/secret_seed.h"
#include "referee/verification/verification.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace warpwright {

// Round 2 has other parameters than the first ones, round 3 those but for a few numbers, round 4 others
// again, and the last has the first ones. While it is not known that results depend on inputs, each round
// that has other parameters is run with those before as well, by trusted arms: then the inputs alone differ.
// Where all of that proves little, there are more rounds, with parameters that carry the signal.
void Verification::runRounds(int rounds) {
    const std::vector<int> withNewWeights =
        m_session.areInputsFixed() ? std::vector{2, 4} : std::vector{2, 3, 4};
    if (!runCycle(1, rounds, withNewWeights) || m_session.isDependenceShown(m_judge->measuredRank()))
        return;
    seekSignal();
    settleDependence();
    if (m_stage.isOpen() && m_session.weights().carriesSignal())
        runCycle(rounds + 1, rounds + 4, {rounds + 1, rounds + 3});
}

bool Verification::runCycle(int first, int last, const std::vector<int> &withNewWeights) {
    for (int number = first; number <= last; ++number) {
        const bool isLast = number == last && number > 1;
        drawParts(number, last);
        if (isLast && m_session.weights().areOthers()) {
            m_session.asTask([&] { m_session.weights().restore({m_oracle.get()}); });
            m_session.handWeights(*m_candidate);
        }
        const bool isNew =
            std::find(withNewWeights.begin(), withNewWeights.end(), number) != withNewWeights.end();
        if (!runRound(number, last, !isLast && isNew))
            return false;
    }
    return true;
}

// By the classes that the candidate was seen in so far: who ignores a change is off by no more in the round
// that shows it. Of parameters that it has not seen, by all that the task allows (`areAll`).
Dependence::Allowed Verification::askingJudge(bool areAll) {
    return [this, areAll](VerificationRound &round, size_t output) {
        return m_judge->mostAllowed(round, output, *m_oracle,
                                    areAll ? std::numeric_limits<int>::max() : m_judge->measuredRank());
    };
}

// Against the round before where that had the same parameters: then only the inputs differ.
// It is the task's: shown once, it is not asked again for the next candidate of such a class.
void Verification::watchDependence(VerificationRound &round) {
    if (m_session.isDependenceShown(m_judge->measuredRank()))
        return;
    const Phases::Span span(m_session.phases(), "dependence");
    const WorkerProcess &owner = ownerOf(round);
    if (m_rememberedVersion == m_session.weights().version())
        m_dependence.inputsMoved(round, owner);
    m_dependence.remember(round, owner);
    m_rememberedVersion = m_session.weights().version();
}

void Verification::settleDependence() {
    m_dependence.judge(m_stage);
    if (!m_stage.isOpen() || !m_dependence.isComplete())
        return;
    m_session.setDegeneracy(m_dependence.degeneracy());
    m_session.setDependenceShown(m_judge->measuredRank());
}

// The weakest strength that shows it clearly, else the one that shows most; none, where that is no more than
// the rounds have shown.
void Verification::seekSignal() {
    if (!m_dependence.isComplete() || !m_dependence.isFaint() || !m_session.weights().areDrawable())
        return;
    const Phases::Span span(m_session.phases(), "dependence");
    m_candidate->pause();
    m_session.asTask([&] {
        std::optional<int> best;
        m_areInputsOthers = true;
        const Json inputs = m_session.drawInputs(secretSeed());
        for (int strength = 0; strength < TaskWeights::signalStrengths; ++strength) {
            m_session.progress()("verify", "parameters that carry the signal", strength + 1,
                                 TaskWeights::signalStrengths);
            m_session.weights().carrySignal(strength, inputs);
            const Dependence found = trySignal();
            if (found.margin() > m_dependence.margin())
                best = strength;
            m_dependence.add(found);
            if (!found.isFaint())
                break;
        }
        m_session.weights().carrySignal(best.value_or(-1), inputs);
        m_session.weights().restore({m_oracle.get()});
    });
}

// Two sets of inputs, then other parameters, seen by trusted arms alone.
Dependence Verification::trySignal() {
    Dependence found(m_session, askingJudge(true));
    VerificationRound round;
    const auto run = [&] {
        round.yardsticks.clear();
        runTrusted(round);
    };
    const auto keep = [&] {
        found.remember(round, ownerOf(round));
        releaseTrusted();
    };
    m_session.weights().redraw(secretSeed(), {m_oracle.get()});
    round.inputs = m_session.drawInputs(secretSeed());
    run();
    keep();
    round.inputs = m_session.drawInputs(secretSeed());
    run();
    found.inputsMoved(round, ownerOf(round));
    keep();
    m_session.weights().redraw(secretSeed(), {m_oracle.get()});
    run();
    found.weightsMoved(round, ownerOf(round));
    keep();
    return found;
}

} // namespace warpwright
