// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that shows each input and each parameter by itself.
#include "referee/verification/verification.h"

#include <algorithm>
#include <limits>

namespace warpwright {

// On the first round's inputs, with the user's own parameters, before they are others.
void Verification::lookAtParts(VerificationRound &round) {
    if (!m_session.isRoomy() || !round.hasOracle || round.exact || m_parts.isKnown())
        return;
    // In double: inputs three times, results of each step, those that are kept for the slope, and slopes.
    const uint64_t needed =
        8 * m_session.facts().value("forwardBytes", uint64_t{0}) + 2 * m_session.inputBytes();
    if (mostMemoryTaken() + needed > memoryOfDevice(m_session.device().memoryBytes))
        return m_stage.doubt(
            "There is no room to see of each input and each parameter whether the result rests "
            "on it: a part that hardly shows may be left out.");
    m_candidate->pause();
    m_session.asTask([&] {
        double allowed = 0.0;
        for (size_t output = 0; output < round.oracle.size(); ++output) {
            if (round.oracle[output].isTensor())
                allowed = std::max(
                    allowed,
                    m_judge->mostAllowed(round, output, *m_oracle, std::numeric_limits<int>::max()).allowed);
        }
        if (allowed > 0.0)
            m_parts.look(*m_oracle, round.inputs, allowed, m_referenceSeconds);
    });
}

// The first round and the last have what the user gave. Where inputs never differ, the third has those of the
// second but for a few numbers: then parameters stay.
void Verification::drawParts(int round, int last) {
    const bool isFew = round == 3 && last > 3 && !m_session.areInputsFixed();
    m_session.asTask([&] {
        m_parts.draw(round == 1 || round == last || m_session.weights().carriesSignal()
                         ? TaskParts::Drawn::AsTheyAre
                     : isFew ? TaskParts::Drawn::FewParameters
                             : TaskParts::Drawn::Shown);
    });
}

} // namespace warpwright
