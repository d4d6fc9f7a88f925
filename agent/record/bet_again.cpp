// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/bet_again.h"

namespace warpwright {
namespace {

bool isSame(const Proposal &proposal, const GivenAnswers &before) {
    return textHashOf(proposal.base) == before.baseHash &&
           textHashOf(ProposalReview(proposal, proposal.base).textsAccepted()) == before.resultHash;
}

} // namespace

void placeBetsAgain(Session &session, const RunSoFar &so) {
    const GivenAnswers before = so.continued.given;
    if (before.resultHash.isEmpty() || (so.bets.bets.empty() && !so.bets.isShown))
        return;
    auto *once = new QObject(&session);
    QObject::connect(&session, &Session::reviewChanged, once, [&session, once, before, given = so.bets] {
        if (session.review() == nullptr)
            return;
        QObject::disconnect(&session, nullptr, once, nullptr);
        once->deleteLater();
        if (!isSame(session.review()->proposal(), before))
            return;
        for (const auto &[by, prediction] : given.bets) {
            const Result<void> placed = session.bet(by, prediction);
            Q_UNUSED(placed); // nothing is shown yet of what was made just now
        }
        if (given.isShown)
            session.showResult(QStringLiteral("it was shown before the run was left"));
    });
}

} // namespace warpwright
