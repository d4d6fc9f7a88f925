// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/best_iteration.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostNamed = 5;

bool isBetter(const EvaluationSummary &one, const EvaluationSummary &other) {
    return isFaster(*paceOf(one), *paceOf(other));
}

} // namespace

bool areToldApart(const EvaluationSummary &one, const EvaluationSummary &other) {
    const bool isComparable = whyNotComparable(one, other).isEmpty();
    const bool doTimesMeet = isComparable && one.candidate && other.candidate &&
                             one.candidate->lowMicroseconds <= other.candidate->highMicroseconds &&
                             other.candidate->lowMicroseconds <= one.candidate->highMicroseconds;
    const bool doSpeedUpsMeet = isComparable && one.eager && other.eager &&
                                one.eager->low <= other.eager->high && other.eager->low <= one.eager->high;
    return !doTimesMeet && !doSpeedUpsMeet;
}

void BestIteration::take(int place, const EvaluationSummary &summary) {
    if (paceOf(summary)) {
        const bool isFastest = m_near.empty() || isBetter(summary, m_near[m_fastest].summary);
        if (!isFastest && areToldApart(summary, m_near[m_fastest].summary))
            return;
        if (isFastest)
            m_near.erase(
                std::remove_if(m_near.begin(), m_near.end(),
                               [&summary](const Taken &one) { return areToldApart(summary, one.summary); }),
                m_near.end());
        m_near.push_back({place, summary});
        if (isFastest) {
            m_fastest = m_near.size() - 1;
            m_best = m_fastest;
            for (std::size_t i = 0; i < m_near.size(); ++i)
                offer(i);
        } else {
            offer(m_near.size() - 1);
        }
        m_isOutdone =
            std::any_of(m_undecided.begin(), m_undecided.end(), [this](const EvaluationSummary &one) {
                return isOutdone(m_near[m_best].summary, one);
            });
        return;
    }
    if (summary.verdict != Verdict::Inconclusive || !summary.candidate)
        return;
    m_isOutdone = m_isOutdone || (!m_near.empty() && isOutdone(m_near[m_best].summary, summary));
    const auto same =
        std::find_if(m_undecided.begin(), m_undecided.end(), [&summary](const EvaluationSummary &one) {
            return one.device == summary.device && one.software == summary.software;
        });
    if (same == m_undecided.end())
        m_undecided.push_back(summary);
    else if (summary.candidate->highMicroseconds < same->candidate->highMicroseconds)
        *same = summary;
}

void BestIteration::offer(std::size_t at) {
    if (m_near[at].summary.candidate->medianMicroseconds <
        m_near[m_best].summary.candidate->medianMicroseconds)
        m_best = at;
}

int BestIteration::place() const {
    return m_isOutdone || m_near.empty() ? -1 : m_near[m_best].place;
}

std::vector<int> BestIteration::others() const {
    std::vector<int> places;
    for (std::size_t i = 0; i < m_near.size(); ++i)
        if (i != m_best)
            places.push_back(m_near[i].place);
    return places;
}

BestOf bestOf(const std::vector<IterationRecord> &records) {
    BestIteration best;
    for (const IterationRecord &record : records)
        if (competes(record))
            best.take(record.iteration.number, *record.latest);
    return best.place() > 0 ? BestOf{best.place(), best.others()} : BestOf{};
}

int bestIteration(const std::vector<IterationRecord> &records) {
    return bestOf(records).number;
}

QString notToldApartText(const BestOf &best) {
    if (best.number <= 0 || best.others.empty())
        return {};
    std::vector<int> all = best.others;
    all.push_back(best.number);
    std::sort(all.begin(), all.end());
    if (all.size() > mostNamed)
        return QStringLiteral(
                   "%1 iterations are not told apart (their intervals meet); %2 has the least time.")
            .arg(all.size())
            .arg(best.number);
    QStringList names;
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
        names << QString::number(all[i]);
    return QStringLiteral("Iterations %1 and %2 are not told apart (their intervals meet); %3 has the least "
                          "time.")
        .arg(names.join(QStringLiteral(", ")))
        .arg(all.back())
        .arg(best.number);
}

} // namespace warpwright
