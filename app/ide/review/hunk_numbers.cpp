// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/hunk_numbers.h"

namespace warpwright {
namespace {

template <typename Value>
std::optional<Value> copyOf(const Value *value) {
    return value == nullptr ? std::nullopt : std::optional(*value);
}

} // namespace

void HunkNumbers::ask(const ProposalReview &review, const HunkEvidences &shown, const Evidence *all,
                      const std::optional<Evaluation> &base) {
    if (shown.empty())
        return clear(); // what was measured of another proposal goes at once
    inPool(
        this,
        [review, shown, all = copyOf(all), base = base ? std::optional(summaryOf(*base)) : std::nullopt] {
            return hunkContributions(review, shown, all ? &*all : nullptr, base ? &*base : nullptr);
        },
        [this, job = m_jobs.next()](const HunkContributions &contributions) {
            if (!m_jobs.isStale(job))
                emit found(contributions);
        });
}

void HunkNumbers::ask(const Session &session, const HunkEvidences &shown) {
    ask(*session.review(), shown, session.evidence(), session.evaluation());
}

void HunkNumbers::clear() {
    m_jobs.next();
    emit found({});
}

} // namespace warpwright
