// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/best_iteration.h"

#include "toolchain/evaluation/time_ratio.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostNamed = 5;

bool isBetter(const EvaluationSummary &one, const EvaluationSummary &other) {
    return isFaster(*paceOf(one), *paceOf(other));
}

/// `after` over `before` as one check timed both; empty: none has, or the same code ran.
std::optional<TimeRatio> sideBySide(const EvaluationSummary &before, const EvaluationSummary &after) {
    if (besideOf(before, after) == nullptr || before.textHash == after.textHash || after.unexercised)
        return std::nullopt;
    return timeRatio(before, after);
}

/// Whether one check timed both, and `one` was slower. Two such checks need not agree: the later one says it.
bool isBeatenBy(const EvaluationSummary &one, const EvaluationSummary &other) {
    const auto ofOne = sideBySide(other, one);
    const auto ofOther = sideBySide(one, other);
    if (ofOne && (!ofOther || one.startedAt > other.startedAt))
        return ofOne->isSlower();
    return ofOther && ofOther->isFaster();
}

} // namespace

bool areToldApart(const EvaluationSummary &one, const EvaluationSummary &other) {
    if (isBeatenBy(one, other) || isBeatenBy(other, one))
        return true;
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
        add({place, summary, true});
        return;
    }
    takeBeside(summary);
    if (summary.verdict != Verdict::Inconclusive || !summary.candidate)
        return;
    m_isOutdone = m_isOutdone || (!m_near.empty() && isOutdone(m_taken[m_best].summary, summary));
    const auto same =
        std::find_if(m_undecided.begin(), m_undecided.end(), [&summary](const EvaluationSummary &one) {
            return one.device == summary.device && one.software == summary.software;
        });
    if (same == m_undecided.end())
        m_undecided.push_back(summary);
    else if (summary.candidate->highMicroseconds < same->candidate->highMicroseconds)
        *same = summary;
}

void BestIteration::takeBeside(const EvaluationSummary &summary) {
    if (summary.verdict != Verdict::Pass || !summary.candidate)
        return;
    Taken taken{-1, summary};
    taken.summary.beside.reset(); // whatever it was faster than stays the best that there is
    add(taken);
}

void BestIteration::add(const Taken &taken) {
    const std::size_t at = m_taken.size();
    m_taken.push_back(taken);
    const auto settleAll = [this, at](const std::multimap<QString, std::size_t> &places, const QString &of) {
        const auto [first, end] = places.equal_range(of);
        for (auto one = first; one != end; ++one)
            settle(m_taken[one->second], m_taken[at]);
    };
    const QString &text = taken.summary.textHash;
    if (!text.isEmpty()) {
        settleAll(m_beside, text);
        m_byText.emplace(text, at);
    }
    if (taken.summary.beside && !taken.summary.beside->textHash.isEmpty()) {
        settleAll(m_byText, taken.summary.beside->textHash);
        m_beside.emplace(taken.summary.beside->textHash, at);
    }
    const bool isNearBeaten = std::any_of(m_near.begin(), m_near.end(),
                                          [this](std::size_t near) { return m_taken[near].isBeaten; });
    if (!isNearBeaten) {
        consider(at);
        return;
    }
    // What it had outdone may be the best now.
    m_near.clear();
    for (std::size_t i = 0; i < m_taken.size(); ++i)
        consider(i);
}

void BestIteration::settle(Taken &one, Taken &other) {
    if (isBeatenBy(one.summary, other.summary))
        one.isBeaten = true;
    else if (isBeatenBy(other.summary, one.summary))
        other.isBeaten = true;
}

void BestIteration::consider(std::size_t at) {
    const Taken &taken = m_taken[at];
    if (!taken.isRival || taken.isBeaten)
        return;
    const bool isFastest = m_near.empty() || isBetter(taken.summary, m_taken[m_fastest].summary);
    if (!isFastest && areToldApart(taken.summary, m_taken[m_fastest].summary))
        return;
    if (isFastest)
        m_near.erase(std::remove_if(m_near.begin(), m_near.end(),
                                    [this, &taken](std::size_t one) {
                                        return areToldApart(taken.summary, m_taken[one].summary);
                                    }),
                     m_near.end());
    m_near.push_back(at);
    if (isFastest) {
        m_fastest = at;
        m_best = at;
        for (const std::size_t one : m_near)
            offer(one);
    } else {
        offer(at);
    }
    m_isOutdone = std::any_of(m_undecided.begin(), m_undecided.end(), [this](const EvaluationSummary &one) {
        return isOutdone(m_taken[m_best].summary, one);
    });
}

void BestIteration::offer(std::size_t at) {
    if (m_taken[at].summary.candidate->medianMicroseconds <
        m_taken[m_best].summary.candidate->medianMicroseconds)
        m_best = at;
}

int BestIteration::place() const {
    return m_isOutdone || m_near.empty() ? -1 : m_taken[m_best].place;
}

std::vector<int> BestIteration::others() const {
    std::vector<int> places;
    for (const std::size_t one : m_near)
        if (one != m_best)
            places.push_back(m_taken[one].place);
    return places;
}

BestOf bestOf(const std::vector<IterationRecord> &records) {
    BestIteration best;
    for (const IterationRecord &record : records)
        if (competes(record))
            best.take(record.iteration.number, *record.latest);
        else if (record.latest)
            best.takeBeside(*record.latest);
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
