// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/best_iteration.h"

#include <algorithm>

namespace warpwright {

void BestIteration::take(int place, const EvaluationSummary &summary) {
    if (const std::optional<Pace> pace = paceOf(summary)) {
        if (m_place >= 0 && !isFaster(*pace, *paceOf(m_fastest)))
            return;
        m_place = place;
        m_fastest = summary;
        m_isOutdone =
            std::any_of(m_undecided.begin(), m_undecided.end(),
                        [&summary](const EvaluationSummary &one) { return isOutdone(summary, one); });
        return;
    }
    if (summary.verdict != Verdict::Inconclusive || !summary.candidate)
        return;
    m_isOutdone = m_isOutdone || (m_place >= 0 && isOutdone(m_fastest, summary));
    const auto same =
        std::find_if(m_undecided.begin(), m_undecided.end(), [&summary](const EvaluationSummary &one) {
            return one.device == summary.device && one.software == summary.software;
        });
    if (same == m_undecided.end())
        m_undecided.push_back(summary);
    else if (summary.candidate->highMicroseconds < same->candidate->highMicroseconds)
        *same = summary;
}

int BestIteration::place() const {
    return m_isOutdone ? -1 : m_place;
}

int bestIteration(const std::vector<IterationRecord> &records) {
    BestIteration best;
    for (const IterationRecord &record : records)
        if (competes(record))
            best.take(record.iteration.number, *record.latest);
    return std::max(best.place(), 0);
}

} // namespace warpwright
