// SPDX-License-Identifier: GPL-3.0-or-later
// What the playbook proposes in a resumed run: the same as before, or from the current text.
#include "agent/playbook/playbook_choice.h"

#include "agent/review/proposal_review.h"

#include <algorithm>

namespace warpwright {
namespace {

bool isTaken(const AnsweredProposal &answered) {
    return answered.feedback.outcome == Feedback::Outcome::Applied;
}

} // namespace

void PlaybookChoice::chooseAgain(const AnsweredProposal &was) {
    if (!m_at.hasProposed && !m_hasSoughtResumePoint)
        seekResumePoint();
    m_isProposedAgain = isAsBefore(was);
}

bool PlaybookChoice::isAsBefore(const AnsweredProposal &was) {
    const auto isIt = [&was](const Proposal &made) {
        return made.title == was.title &&
               textHashOf(ProposalReview(made, made.base).textsAccepted()) == was.resultHash;
    };
    const PlaybookProgress before = m_at;
    QString why;
    if (const std::optional<Proposal> made = next(why); made && isIt(*made))
        return true;
    // Where the table had more measurements by then than when the run began, another move came first.
    m_at = before;
    for (const auto &tries : {allMovesFrom(*m_graph, m_at.program, m_at.knobSets, target()),
                              variantsFrom(m_at.program, m_at.knobSets, target())})
        for (const PlaybookMove &move : tries)
            if (move.title == was.title && m_at.hasProposed && isIt(proposalOf(move))) {
                m_at.tried.insert(move.title);
                return true;
            }
    return false;
}

void PlaybookChoice::chooseAnew(const std::vector<AnsweredProposal> &record) {
    const bool hasTaken = std::any_of(record.begin(), record.end(), isTaken);
    if (hasTaken) // the current text has moves in it: plain kernels are no match for it
        m_setup.pace = PlaybookPace::AllAtOnce;
    beginWith(firstMoves(m_setup.pace));
    m_at.hasProposed = true;
    if (hasTaken && m_at.firsts.size() > 1)
        m_at.firsts.pop_back();
    const QString title = firstMove().title;
    const auto isFirst = [&title](const AnsweredProposal &one) {
        return one.title == title;
    };
    const bool wasRefused = std::any_of(record.begin(), record.end(), isFirst) &&
                            std::none_of(record.begin(), record.end(), [&](const AnsweredProposal &one) {
                                return isFirst(one) && isTaken(one);
                            });
    if (wasRefused)
        m_at.firsts.clear();
    for (const AnsweredProposal &one : record) {
        m_at.tried.insert(one.title);
        m_triedTexts.insert(one.resultHash);
    }
}

bool PlaybookChoice::wasTried(const Proposal &proposal) const {
    return !m_triedTexts.empty() &&
           m_triedTexts.contains(textHashOf(ProposalReview(proposal, proposal.base).textsAccepted()));
}

} // namespace warpwright
