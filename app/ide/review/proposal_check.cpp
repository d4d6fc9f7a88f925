// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/proposal_check.h"

#include "agent/review/bet_first.h"
#include "agent/session/session.h"
#include "app/ide/review/proposal_views.h"

namespace warpwright {

ProposalCheck::ProposalCheck(Workbench &bench, QObject *parent) : QObject(parent), m_bench(bench) {}

void ProposalCheck::follow(const Session *session) {
    const ProposalReview *review = session == nullptr ? nullptr : session->review();
    // Once it is written the text is an iteration, and the pages show that one.
    if (review == nullptr || session->state() != SessionState::AwaitingReview || !m_bench.workspace())
        return show(std::nullopt);
    const Evidence *evidence = session->evidence();
    // Where it fails there are no times that a bet would be about.
    const bool isShown =
        evidence != nullptr && (mayShowNumbers(*session) || !whyNotTimed(*evidence).isEmpty());
    ProposedText text;
    text.proposal = numberOf(review->proposal().id);
    if (isShown)
        read(*session, evidence->after.id);
    if (isShown && m_shown.evaluation) {
        const ReviewCount count = review->count();
        text.shown = m_shown;
        text.title = tr("proposal %1").arg(text.proposal);
        text.remark = count.rejected + count.edited > 0 ? tr("as proposed, without your answers")
                                                        : tr("all of its hunks");
    } else {
        text.title = tr("iteration %1").arg(session->iteration());
        text.remark = evidence == nullptr ? tr("proposal %1 is being checked").arg(text.proposal)
                      : !isShown ? tr("the check of proposal %1 is hidden until you bet").arg(text.proposal)
                                 : tr("the check of proposal %1 is being read").arg(text.proposal);
    }
    show(std::move(text));
}

void ProposalCheck::show(std::optional<ProposedText> text) {
    const auto key = [](const std::optional<ProposedText> &of) {
        return of ? QStringList{QString::number(of->proposal), of->title, of->remark,
                                of->shown.evaluation ? of->shown.evaluation->id : QString()}
                  : QStringList();
    };
    if (!text) {
        m_jobs.next();
        m_id.clear();
        m_shown = {};
    }
    if (key(text) == key(m_now))
        return;
    m_now = std::move(text);
    emit changed();
}

void ProposalCheck::read(const Session &session, const QString &evaluation) {
    if (std::exchange(m_id, evaluation) == evaluation)
        return;
    m_shown = {};
    inPool(
        this,
        [state = m_bench.workspace()->state, evaluation, summary = session.evidence()->after] {
            return Workbench::shownWithEvaluation(state, evaluation, summary);
        },
        [this, job = m_jobs.next(), before = session.evaluation(),
         session = QPointer(&session)](Shown shown) {
            if (m_jobs.isStale(job))
                return;
            m_shown = std::move(shown);
            m_shown.parentEvaluation = before;
            follow(session);
        });
}

} // namespace warpwright
