// SPDX-License-Identifier: GPL-3.0-or-later
// The playbook in a run that goes on: it goes through what was proposed and answered once more, as if it were
// asked again, and so comes to where it was.
#include "agent/playbook/playbook_agent.h"

#include "agent/proposal_review.h"

#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

QByteArray referenceIn(const CandidateTexts &texts) {
    const auto found = texts.find(QStringLiteral("model.py"));
    return found == texts.end() ? QByteArray() : found->second;
}

bool isTaken(const AnsweredProposal &answered) {
    return answered.feedback.outcome == Feedback::Outcome::Applied;
}

} // namespace

Result<void> PlaybookAgent::wasAnswered(const AnsweredProposal &answered) {
    if (m_record.empty())
        m_earlier = MeasurementTable::load(m_setup.measurementsFile, answered.since);
    m_record.push_back(answered);
    return Result<void>::ok();
}

const MeasurementTable &PlaybookAgent::measurements() const {
    return m_isRecalling ? m_known : m_setup.measurements;
}

void PlaybookAgent::recall() {
    m_at = {};
    makePlan();
    m_asked = m_request;
    m_known = m_earlier;
    std::vector<AnsweredProposal> ofThis = m_record;
    std::erase_if(ofThis, [this](const AnsweredProposal &one) {
        return referenceIn(one.request.texts) != m_reference;
    });
    if (ofThis.empty()) {
        m_record.clear(); // of another reference it says nothing
        return beginAnew(QStringLiteral("The reference is not the one that I made this run's proposals for"));
    }
    m_record = std::move(ofThis);
    m_isRecalling = true;
    recallFrom(0);
}

// One a turn of the event loop: each is as much work as a proposal.
void PlaybookAgent::recallFrom(std::size_t index) {
    const std::vector<Feedback> feedback =
        index > 0 ? std::vector<Feedback>{m_record[index - 1].feedback} : std::vector<Feedback>();
    if (index == m_record.size()) {
        m_request = m_asked;
        return endRecall(feedback);
    }
    const AnsweredProposal &was = m_record[index];
    m_request = was.request;
    m_request.feedback = feedback;
    learn();
    if (mustSeekOwn())
        return seekOwn([this, index] { recallFrom(index); });
    if (!isProposedAgain(was)) {
        m_request = m_asked;
        return beginAnew(
            QStringLiteral("What I proposed as \"%1\" I would not write like that any more, with "
                           "this version, on this device and with what is measured of it")
                .arg(was.title));
    }
    QTimer::singleShot(0, this, [this, index, number = m_number] {
        if (m_isRecalling && number == m_number)
            recallFrom(index + 1);
    });
}

bool PlaybookAgent::isProposedAgain(const AnsweredProposal &was) {
    const auto isIt = [&was](const Proposal &made) {
        return made.title == was.title &&
               textHashOf(ProposalReview(made, made.base).textsAccepted()) == was.resultHash;
    };
    const PlaybookProgress before = m_at;
    QString why;
    if (const std::optional<Proposal> made = next(why); made && isIt(*made))
        return true;
    // Where the table knew more by then than it did when the run began, another move came first.
    m_at = before;
    for (const auto &tries : {allMovesFrom(*m_graph, m_at.plan, m_at.tunings, device()),
                              variantsFrom(m_at.plan, m_at.tunings, device())})
        for (const PlaybookMove &move : tries)
            if (move.title == was.title && m_at.hasProposed && isIt(proposalOf(move))) {
                m_at.tried.insert(move.title);
                return true;
            }
    return false;
}

// What lies there stays, and is what all is compared with from now on.
void PlaybookAgent::beginAnew(const QString &why) {
    m_isRecalling = false;
    m_at = {};
    makePlan();
    sayOnce(
        QStringLiteral("anew"),
        why + QStringLiteral(": I begin anew from the text that lies there, and leave out what was tried."));
    if (!m_isWorking)
        return;
    const bool hasTaken = std::any_of(m_record.begin(), m_record.end(), isTaken);
    if (hasTaken) // what lies there has moves in it: plain kernels are no match for it
        m_setup.pace = PlaybookPace::AllAtOnce;
    beginWith(firstMoves(m_setup.pace));
    m_at.hasProposed = true;
    if (hasTaken && m_at.firsts.size() > 1)
        m_at.firsts.pop_back();
    const QString title = firstMove().title;
    const auto isFirst = [&title](const AnsweredProposal &one) {
        return one.title == title;
    };
    const bool wasRefused = std::any_of(m_record.begin(), m_record.end(), isFirst) &&
                            std::none_of(m_record.begin(), m_record.end(), [&](const AnsweredProposal &one) {
                                return isFirst(one) && isTaken(one);
                            });
    if (wasRefused)
        m_at.firsts.clear();
    for (const AnsweredProposal &one : m_record) {
        m_at.tried.insert(one.title);
        m_triedTexts.insert(one.resultHash);
    }
    endRecall({});
}

void PlaybookAgent::endRecall(const std::vector<Feedback> &feedback) {
    m_isRecalling = false;
    m_hasRecalled = true;
    m_request.feedback = feedback;
    work();
}

bool PlaybookAgent::wasTried(const Proposal &proposal) const {
    return !m_triedTexts.empty() &&
           m_triedTexts.contains(textHashOf(ProposalReview(proposal, proposal.base).textsAccepted()));
}

} // namespace warpwright
