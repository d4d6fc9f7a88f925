// SPDX-License-Identifier: GPL-3.0-or-later
// A session's fourth part: what a step tries in the workspace, who says that it stays, and what the end of a
// run leaves.
#include "agent/session/session.h"

#include "agent/session/stored_link.h"
namespace warpwright {
namespace {

constexpr int mostSameProposals = 3;
const QString byEnd = QStringLiteral("the run ended before it was kept");

} // namespace

// However it ends: the text that was kept last lies on the disk, and what was pending is in the tree. What a
// person or the policy has accepted is kept, measured or not.
void Session::leaveKeptText() {
    if (m_before && m_before->isPending)
        takeBackStep();
    else if (m_review && !m_before)
        keepProposalInTree();
}

void Session::takeBackStep() {
    const Result<AppliedText::TakenBack> back = m_applied.takeBack();
    if (!back.hasValue()) // the next start tries it again
        return emit trouble(back.message());
    const AppliedText::TakenBack &done = back.value();
    if (done.pending == 0)
        return;
    const Before before = *std::exchange(m_before, std::nullopt);
    if (!done.standsOnPending) {
        record(QStringLiteral("restored"), restoredBody(before.iteration, byEnd, m_texts, before.texts));
        m_texts = before.texts;
        m_evaluation = before.evaluation;
        m_iteration = before.iteration;
    }
    emit textRestored(m_iteration);
    if (!done.isOfPerson)
        return;
    if (const Result<CandidateTexts> now = m_applied.read(); now.hasValue()) {
        record(QStringLiteral("hand-edit"), handEditBody(m_texts, now.value()));
        m_texts = now.value();
    }
    m_evaluation.reset();
    m_iteration = done.now.number;
    record(QStringLiteral("iteration"), iterationBody(done.now));
    emit iterationMade(done.now);
    emit trouble(
        done.standsOnPending
            ? QStringLiteral("You typed in or beside lines of the step that was not kept yet, so that "
                             "file stays as you left it: iteration %1 of yours.")
                  .arg(m_iteration)
            : QStringLiteral("The step that was not kept yet was taken back. What you typed "
                             "meanwhile stays: iteration %1 of yours.")
                  .arg(m_iteration));
}

void Session::keepProposalInTree() {
    const Proposal &proposal = m_review->proposal();
    const CandidateTexts texts =
        m_review->count().conflict == 0 ? m_review->textsAccepted() : proposal.proposed;
    if (texts == m_texts || m_iteration == 0)
        return;
    const auto kept = m_applied.store().commitBeside(texts, m_iteration, proposal.author, proposal.title);
    if (!kept.hasValue())
        return emit trouble(kept.message());
    const int number = kept.value().iteration.number;
    const Result<void> marked = m_applied.store().mark(number, IterationMark::NotDecided);
    const Result<void> linked =
        m_shadow && textHashOf(texts) == m_shadowHash
            ? linkStored(m_applied.store(), m_setup.workspace.state, number, m_shadow->id)
            : Result<void>::ok();
    if (!marked.hasValue() || !linked.hasValue())
        emit trouble(marked.hasValue() ? linked.message() : marked.message());
    record(QStringLiteral("iteration"), iterationBody(kept.value().iteration));
    emit iterationMade(kept.value().iteration);
}

// A model that has nothing else to say would go on for ever. Steps of a script come to their end.
bool Session::endsByRepetition(const Proposal &proposal) {
    const QString hash = textHashOf(proposal.proposed);
    m_sameProposals = hash == std::exchange(m_lastProposed, hash) ? m_sameProposals + 1 : 1;
    m_emptyProposals = proposal.proposed == proposal.base ? m_emptyProposals + 1 : 0;
    const bool thinks = proposal.author.kind == AuthorKind::Model || proposal.author.kind == AuthorKind::Acp;
    const bool isEmpty = m_emptyProposals >= mostSameProposals;
    if (!thinks || (!isEmpty && m_sameProposals < mostSameProposals))
        return false;
    beginEnd(SessionEnd::Done,
             (isEmpty ? QStringLiteral("%1 has proposed %2 times in a row what changes nothing: \"%3\".")
                      : QStringLiteral("%1 has proposed the same text %2 times in a row: \"%3\"."))
                 .arg(proposal.author.name)
                 .arg(mostSameProposals)
                 .arg(proposal.title));
    return true;
}

int Session::stepBase() const {
    const bool waits = m_state == SessionState::Scored && m_before && m_before->isPending;
    return waits && !m_ending ? m_before->iteration : 0;
}

Result<void> Session::answerStep(StepAnswer answer) {
    if (m_state != SessionState::Scored || !m_before || !m_review)
        return Result<void>::error(QStringLiteral("Nothing waits to be kept or undone: the run is %1.")
                                       .arg(sessionStateName(m_state)));
    if (answer != StepAnswer::Keep) {
        const Result<CandidateTexts> now = m_applied.read();
        if (!now.hasValue())
            return Result<void>::error(now.message());
        if (now.value() != m_texts)
            return Result<void>::error(
                QStringLiteral("Cannot take the step back: the text was changed by hand since, "
                               "and that would be lost as well. Keep it, and undo by hand."));
        if (const Result<void> done = m_applied.goBack(m_before->iteration); !done.hasValue())
            return done;
    }
    m_applied.keepPending();
    std::optional<TimeRatio> ratio;
    if (m_before->evaluation && m_evaluation)
        ratio = timeRatio(summaryOf(*m_before->evaluation), summaryOf(*m_evaluation));
    record(QStringLiteral("step"), Json{{"answer", toJson(stepAnswerName(answer))}});
    const Before before = *std::exchange(m_before, std::nullopt);
    if (answer != StepAnswer::Keep) {
        record(QStringLiteral("restored"),
               restoredBody(before.iteration, stepAnswerName(answer), m_texts, before.texts));
        m_texts = before.texts;
        m_iteration = before.iteration;
        m_evaluation = before.evaluation;
        emit textRestored(m_iteration);
    }
    finishProposal(answer == StepAnswer::Keep   ? takenOutcome()
                   : answer == StepAnswer::Undo ? Feedback::Outcome::Undone
                                                : Feedback::Outcome::KeptAsBranch,
                   answer == StepAnswer::Keep ? whyApplied() : m_whyDecided, ratio);
    return Result<void>::ok();
}

// The person has let the run go by itself while a step was tried: it is decided as any other.
void Session::settleStepByPolicy() {
    const PolicyDecision decision = decideInSeries(decide(
        m_setup.policy, m_before->evaluation ? std::optional(summaryOf(*m_before->evaluation)) : std::nullopt,
        summaryOf(*m_evaluation)));
    tellDecision(decision);
    const StepAnswer answer = decision.answer == PolicyAnswer::Accept         ? StepAnswer::Keep
                              : decision.answer == PolicyAnswer::KeepAsBranch ? StepAnswer::Branch
                                                                              : StepAnswer::Undo;
    if (const Result<void> done = answerStep(answer); !done.hasValue()) {
        emit trouble(done.message());
        const Result<void> kept = answerStep(StepAnswer::Keep); // under what was typed since
        Q_UNUSED(kept);
    }
}

// The person goes on by hand from what is tried: it stays.
void Session::keepStepByHand() {
    m_applied.keepPending();
    m_before->isPending = false;
    record(QStringLiteral("step"), Json{{"answer", toJson(stepAnswerName(StepAnswer::Keep))}});
}

void Session::tellDecision(const PolicyDecision &decision) {
    m_whyDecided = decision.why;
    record(QStringLiteral("policy"), Json{{"proposal", toJson(m_review->proposal().id)},
                                          {"answer", toJson(policyAnswerName(decision.answer))},
                                          {"why", toJson(decision.why)}});
    emit policyDecided(decision);
}

// Later steps rest on this one: where its author says so, it is kept although the clock cannot tell.
PolicyDecision Session::decideInSeries(PolicyDecision decision) const {
    const std::optional<SeriesStep> &series = m_review->proposal().series;
    if (!decision.isUndecided || !series)
        return decision;
    if (m_wasMeasuredLonger)
        decision.why += QStringLiteral(" It was measured longer, for up to %1 s.").arg(longerSeconds);
    if (series->keepsUndecided) {
        decision.answer = PolicyAnswer::Accept;
        decision.why =
            QStringLiteral("Verified, time undecided: the series keeps such a step. ") + decision.why;
    }
    return decision;
}

QString Session::whyConflict() const {
    const std::optional<SeriesStep> &series = m_review->proposal().series;
    if (series && series->needs > 0)
        return series->isNeededInPart
                   ? QStringLiteral("It needs all of step %1, which was taken in part.").arg(series->needs)
                   : QStringLiteral("It needs step %1, which was left out.").arg(series->needs);
    if (m_hasHandEdits)
        return QStringLiteral("It wants lines that were changed by hand meanwhile, and nobody is there to "
                              "answer the conflict.");
    return QStringLiteral("It does not fit the text that stands: lines that it wants to change are not as it "
                          "expects them.");
}

} // namespace warpwright
