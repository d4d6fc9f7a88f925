// SPDX-License-Identifier: GPL-3.0-or-later
// A session's second half: what is measured, what follows from it, and how an accepted text gets onto the
// disk.
#include "agent/session/session.h"

#include "agent/review/hunk_groups.h"
#include "agent/review/taken_part.h"
#include "agent/session/stored_link.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/process/in_pool.h"

#include <memory>

namespace warpwright {
namespace {

/// It says something of the candidate; else of the machine, or of nothing.
bool isVerdictOnText(Verdict verdict) {
    return verdict != Verdict::Cancelled && verdict != Verdict::Environment && verdict != Verdict::Usage &&
           verdict != Verdict::TaskFailed;
}

/// Its results were right: it can be timed, also where the first time was too uncertain for a verdict.
bool isTimed(Verdict verdict) {
    return verdict == Verdict::Pass || verdict == Verdict::Inconclusive;
}

/// Of the iteration `besideCode` (0: none) it says that its time competes with none.
Json marked(Json evaluation, int besideCode) {
    const auto iteration = evaluation.find("iteration");
    if (besideCode > 0 && stringIn(evaluation, "of") == QLatin1String("iteration") &&
        iteration != evaluation.end() && *iteration == besideCode)
        evaluation["besideCode"] = true;
    return evaluation;
}

} // namespace

// What is on the disk and not ours becomes an iteration of the person's, before anything is built on it.
// False: it could not be read or kept, and the run ends.
bool Session::noticeHandEdits() {
    const Result<CandidateTexts> now = m_applied.read();
    if (!now.hasValue()) {
        beginEnd(SessionEnd::Failed, now.message());
        return false;
    }
    if (now.value() == m_texts)
        return true;
    if (m_review) {
        const std::map<int, HunkState> before = hunkStates();
        if (const QStringList refused = m_review->bringIn(m_texts, now.value()); !refused.isEmpty())
            emit trouble(
                QStringLiteral("\"%1\" was changed on the disk and in the editor. Save or revert it in the "
                               "editor.")
                    .arg(refused.join(QStringLiteral("\", \""))));
        noticeConflicts(before);
        emit reviewChanged();
    }
    return keepByHand(now.value());
}

bool Session::keepByHand(const CandidateTexts &now) {
    const auto kept = m_applied.store().commit(now, m_iteration, Author{});
    if (!kept.hasValue()) {
        beginEnd(SessionEnd::Failed, kept.message());
        return false;
    }
    record(QStringLiteral("hand-edit"), handEditBody(m_texts, now));
    m_hasHandEdits = true;
    m_texts = now;
    m_evaluation.reset();
    m_iteration = kept.value().iteration.number;
    record(QStringLiteral("iteration"), iterationBody(kept.value().iteration));
    emit iterationMade(kept.value().iteration);
    return !m_ending;
}

std::optional<Evaluation> Session::storedEvaluation() const {
    const auto records = m_applied.store().list();
    if (!records.hasValue())
        return std::nullopt;
    for (const IterationRecord &record : records.value()) {
        if (record.iteration.number != m_iteration || record.evaluations.isEmpty())
            continue;
        Result<Evaluation> stored = EvaluationStore(m_setup.workspace.state).load(record.evaluations.last());
        // Of another kind of device it says nothing here.
        const QString kind = stored.hasValue() ? stringIn(stored.value().device, "kind") : QString();
        const bool isOfDevice = m_setup.device.isEmpty() || m_setup.device == QLatin1String("auto") ||
                                m_setup.device.section(QLatin1Char(':'), 0, 0) == kind;
        if (stored.hasValue() && isOfDevice && isVerdictOnText(stored.value().verdict) &&
            stored.value().lastStage == LastStage::Profile)
            return std::move(stored).value();
    }
    return std::nullopt;
}

// The whole of it, in the shadow; what was measured of another text of it says nothing any more.
void Session::measureProposal(double seconds) {
    for (const auto &[number, purpose] : std::map<int, Purpose>(m_measurements))
        if (purpose.subject.of == EvaluationSubject::Of::Proposal)
            m_measurer.cancel(number);
    m_shadow.reset();
    m_evidence.reset();
    m_wasMeasuredLonger = seconds > 0;
    const CandidateTexts texts = m_review->textsAccepted();
    m_shadowHash = textHashOf(texts);
    // While it is compiled: should it be taken, its iteration waits for the disk half as long.
    QThreadPool::globalInstance()->start([store = m_applied.store(), texts] { store.writeAhead(texts); });
    measure(texts, {{EvaluationSubject::Of::Proposal, m_iteration, m_review->proposal().id, 0}, {}, false},
            false, seconds);
}

int Session::measure(const CandidateTexts &texts, Purpose purpose, bool isForPerson, double seconds) {
    purpose.textHash = textHashOf(texts);
    Measurement measurement{texts, isForPerson, {}, seconds};
    // What a change did is measured in one run; two runs differ by more than many a change.
    const bool isApplied = m_before && texts == m_texts;
    const std::optional<Evaluation> &known = isApplied ? m_before->evaluation : m_evaluation;
    if (!purpose.isBase && (!known || isTimed(known->verdict)))
        measurement.before = isApplied ? m_before->texts : m_texts;
    const int number = m_measurer.measure(measurement);
    m_measurements.emplace(number, std::move(purpose));
    return number;
}

// What was measured is a change of: nothing of it may run on this device.
std::optional<CheckedParent> Session::parentOf(const Purpose &purpose) const {
    if (purpose.isBase)
        return m_applied.store().checkedParent(purpose.subject.iteration);
    const bool isApplied = m_before && purpose.textHash == textHashOf(m_texts);
    const std::optional<Evaluation> &known = isApplied ? m_before->evaluation : m_evaluation;
    if (!known)
        return std::nullopt;
    return CheckedParent{isApplied ? m_before->iteration : m_iteration, summaryOf(*known)};
}

void Session::cancelMeasurements() {
    // Cancelling may answer at once, and take its number out.
    std::vector<int> numbers;
    for (const auto &[number, purpose] : m_measurements)
        numbers.push_back(number);
    for (const int number : numbers)
        m_measurer.cancel(number);
}

void Session::takeMeasured(int number, const Evaluation &measured, const QString &log) {
    if (m_measurements.count(number) == 0)
        return;
    m_arrived.push_back({number, measured, log});
    storeNext();
}

// In the pool: writing a document out and waiting for the disk may take longer than a window has. One after
// the other, as they came; until then they count as being measured.
void Session::storeNext() {
    if (m_isStoring || m_arrived.empty())
        return;
    Arrived next = std::move(m_arrived.front());
    m_arrived.pop_front();
    const int number = next.number;
    if (const std::optional<CheckedParent> parent = parentOf(m_measurements.at(number)))
        holdAgainst(next.evaluation, *parent);
    if (next.evaluation.verdict == Verdict::Cancelled) {
        takeStored(number, next.evaluation);
        return;
    }
    m_isStoring = true;
    const auto kept = std::make_shared<const Arrived>(std::move(next));
    inPool(
        this,
        [kept, state = m_setup.workspace.state] {
            return EvaluationStore(state).store(kept->evaluation, kept->log).message();
        },
        [this, kept](const QString &why) {
            m_isStoring = false;
            if (!why.isEmpty())
                emit trouble(why);
            takeStored(kept->number, kept->evaluation);
        });
}

void Session::takeStored(int number, const Evaluation &evaluation) {
    // Whatever follows from it, the next one is stored behind that.
    QMetaObject::invokeMethod(this, &Session::storeNext, Qt::QueuedConnection);
    const auto found = m_measurements.find(number);
    const Purpose purpose = found->second;
    m_measurements.erase(found);
    if (m_ending)
        return settle();
    if (evaluation.verdict == Verdict::Cancelled)
        return;
    if (!record(QStringLiteral("evaluation"),
                marked(evaluationBody(purpose.subject, evaluation, purpose.textHash), m_besideCode)))
        return;
    if (!isVerdictOnText(evaluation.verdict))
        emit trouble(plainText(evaluation.message));
    if (purpose.isBase) {
        if (purpose.subject.iteration == m_iteration)
            takeBase(evaluation);
        return;
    }

    // The text before was measured on another device, or with another torch: nothing follows from that.
    if (m_evaluation && isVerdictOnText(evaluation.verdict) &&
        !whyNotComparable(summaryOf(*m_evaluation), summaryOf(evaluation)).isEmpty()) {
        m_evaluation.reset();
        measureBase();
    }
    const bool isOfReview = m_review && m_review->proposal().id == purpose.subject.proposal;
    const Evaluation *before = m_evaluation ? &*m_evaluation : nullptr;
    if (purpose.subject.of == EvaluationSubject::Of::Proposal && isOfReview &&
        purpose.textHash == m_shadowHash) {
        m_shadow = evaluation;
        m_evidence =
            evidenceOf(m_waitsForScore && m_before && m_before->evaluation ? &*m_before->evaluation : before,
                       evaluation, purpose.textHash);
        if (m_hasBet)
            showResult(QStringLiteral("the bet is placed"));
        emit evidenceChanged();
        if (m_waitsForPolicy)
            goOn([this] {
                if (m_review && m_waitsForPolicy)
                    decideByPolicy();
            });
    } else if (purpose.subject.hunk > 0 && isOfReview) {
        emit hunkMeasured(purpose.subject.hunk, purpose.subject.of == EvaluationSubject::Of::WithoutHunk,
                          evidenceOf(before, evaluation, purpose.textHash));
    }
    if (m_waitsForScore && purpose.textHash == textHashOf(m_texts) && !isVerdictOnText(evaluation.verdict))
        return beginEnd(SessionEnd::Failed, plainText(evaluation.message));
    if (m_waitsForScore && purpose.textHash == textHashOf(m_texts))
        goOn([this, evaluation,
              isRecorded = purpose.subject.of == EvaluationSubject::Of::Iteration &&
                           purpose.subject.iteration == m_iteration] { scoreNow(evaluation, isRecorded); });
}

void Session::takeBase(const Evaluation &evaluation) {
    const auto linked = linkStored(m_applied.store(), m_setup.workspace.state, m_iteration, evaluation.id);
    if (!linked.hasValue())
        emit trouble(linked.message());
    if (!isVerdictOnText(evaluation.verdict))
        return beginEnd(SessionEnd::Failed, plainText(evaluation.message));
    m_evaluation = evaluation;
    if (!m_review) {
        emit textMeasured();
        return goOn([this] { propose(); });
    }
    if (m_shadow) {
        m_evidence = evidenceOf(&*m_evaluation, *m_shadow, m_shadowHash);
        emit evidenceChanged();
    }
    if (m_waitsForPolicy)
        goOn([this] {
            if (m_review && m_waitsForPolicy)
                decideByPolicy();
        });
}

// After a hand edit the text that a proposal is compared with is another.
void Session::measureBase() {
    for (const auto &[number, purpose] : m_measurements)
        if (purpose.isBase && purpose.subject.iteration == m_iteration)
            return;
    Purpose purpose{{EvaluationSubject::Of::Iteration, m_iteration, {}, 0}, {}, true};
    measure(m_texts, purpose, false);
}

void Session::decideByPolicy() {
    // What was saved meanwhile stands under the proposal, and is measured with it before it is written.
    if (!noticeHandEdits())
        return;
    const bool hasConflict = m_review->count().conflict > 0;
    if (!hasConflict) {
        if (!m_evaluation)
            measureBase();
        if (textHashOf(m_review->textsAccepted()) != m_shadowHash)
            measureProposal();
        if (!m_shadow || !m_evaluation)
            return setState(SessionState::Compiling); // whichever comes last calls again
    }
    const Proposal proposal = m_review->proposal();
    PolicyDecision decision;
    if (hasConflict)
        decision.why = whyConflict();
    else if (!isVerdictOnText(m_shadow->verdict))
        return beginEnd(SessionEnd::Failed, plainText(m_shadow->message));
    else
        decision = decide(m_setup.policy, summaryOf(*m_evaluation), summaryOf(*m_shadow));
    const bool isExercised = !m_shadow || !m_evaluation ||
                             whyUnexercised(summaryOf(*m_evaluation), summaryOf(*m_shadow))
                                 .isEmpty(); // else more time says nothing
    if (decision.isUndecided && proposal.series && isExercised && !m_wasMeasuredLonger) {
        measureProposal(longerSeconds);
        return setState(SessionState::Compiling);
    }
    m_waitsForPolicy = false;
    decision = decideInSeries(decision);
    tellDecision(decision);
    if (decision.answer == PolicyAnswer::Accept) {
        const Result<void> rest = answerRest({}, true, decision.why, "policy");
        Q_UNUSED(rest); // without a conflict each can be
        setState(SessionState::Applying);
        return m_ending ? void() : applyNow();
    }
    const Result<void> rest = answerRest({}, false, decision.why, "policy");
    ScoredProposal scoredProposal{
        proposal.id, proposal.title, 0, {}, {}, proposal.prediction, QStringLiteral("discarded"),
        decision.why};
    if (m_shadow)
        scoredProposal.summary = summaryOf(*m_shadow);
    if (m_evidence)
        scoredProposal.ratio = m_evidence->ratio;
    if (decision.answer == PolicyAnswer::KeepAsBranch) {
        // Beside the text, which stays; so the current iteration stays, too.
        const auto kept = m_applied.store().commitBeside(m_review->textsAccepted(), m_iteration,
                                                         proposal.author, proposal.title);
        if (!kept.hasValue())
            return beginEnd(SessionEnd::Failed, kept.message());
        scoredProposal.iteration = kept.value().iteration.number;
        scoredProposal.outcome = QStringLiteral("branch");
        record(QStringLiteral("iteration"), iterationBody(kept.value().iteration));
        const auto linked =
            linkStored(m_applied.store(), m_setup.workspace.state, scoredProposal.iteration, m_shadow->id);
        if (!linked.hasValue())
            emit trouble(linked.message());
        emit iterationMade(kept.value().iteration);
    }
    setState(SessionState::Scored);
    emit scored(scoredProposal);
    finishProposal(decision.answer == PolicyAnswer::KeepAsBranch ? Feedback::Outcome::KeptAsBranch
                                                                 : Feedback::Outcome::Rejected,
                   decision.why, scoredProposal.ratio);
}

void Session::applyNow() {
    // What was saved since stands under the answers.
    if (!noticeHandEdits())
        return;
    if (m_review->count().unanswered() > 0) {
        setState(SessionState::AwaitingReview);
        emit trouble(
            QStringLiteral("The text was changed by hand meanwhile, in lines that the proposal wants too: "
                           "%1 to answer.")
                .arg(m_review->count().unanswered()));
        return;
    }
    const CandidateTexts texts = m_review->texts();
    if (texts == m_texts) {
        const Proposal &proposal = m_review->proposal();
        emit scored(
            {proposal.id, proposal.title, 0, {}, {}, proposal.prediction, QStringLiteral("rejected"), {}});
        return finishProposal(Feedback::Outcome::Rejected, {});
    }
    const Proposal proposal = m_review->proposal();
    const int onDisk = m_iteration;
    // What was typed in an editor and not saved is the person's as well.
    if (const CandidateTexts typed = m_review->textsUnanswered(); typed != m_texts && !keepByHand(typed))
        return;
    const bool isPending = m_setup.mode == SessionMode::Step;
    const TakenPart part = takenPart(*m_review, m_review->textsUnanswered());
    const auto done = isPending ? m_applied.applyPending(texts, m_iteration, part.author, part.note, onDisk)
                                : m_applied.apply(texts, m_iteration, part.author, part.note, onDisk);
    if (!done.hasValue())
        return beginEnd(SessionEnd::Failed, done.message());
    if (texts == m_texts) { // nothing of it was taken but what the person typed
        emit scored(
            {proposal.id, proposal.title, 0, {}, {}, proposal.prediction, QStringLiteral("rejected"), {}});
        return finishProposal(Feedback::Outcome::Rejected, {});
    }
    m_before = Before{m_iteration, m_texts, m_evaluation, isPending};
    m_besideCode = part.isBesideCode && done.value().isNew ? done.value().iteration.number : 0;
    if (m_besideCode > 0)
        if (const Result<void> marked = m_applied.store().mark(m_besideCode, IterationMark::BesideCode);
            !marked.hasValue())
            emit trouble(marked.message());
    m_uncalled = uncalledNames(*m_review);
    Json applied = appliedBody(proposal.id, m_texts, texts);
    if (!m_uncalled.isEmpty())
        applied["uncalled"] = stringsToJson<Json>(m_uncalled);
    if (m_besideCode > 0)
        applied["besideCode"] = true;
    record(QStringLiteral("applied"), applied);
    m_texts = texts;
    m_iteration = done.value().iteration.number;
    m_evaluation.reset();
    record(QStringLiteral("iteration"), iterationBody(done.value().iteration));
    emit iterationMade(done.value().iteration);

    // Accepted whole it is the shadow's text, and so is what was measured of it.
    m_waitsForScore = true;
    const QString hash = textHashOf(m_texts);
    setState(SessionState::Compiling);
    if (m_shadow && hash == m_shadowHash && isVerdictOnText(m_shadow->verdict))
        return goOn([this, evaluation = *m_shadow] { scoreNow(evaluation, false); });
    bool isBeingMeasured = false;
    for (const auto &[number, purpose] : std::map<int, Purpose>(m_measurements)) {
        isBeingMeasured = isBeingMeasured || purpose.textHash == hash;
        if (purpose.textHash != hash)
            m_measurer.cancel(number);
    }
    if (!isBeingMeasured)
        measure(m_texts, {{EvaluationSubject::Of::Iteration, m_iteration, proposal.id, 0}, {}, false}, false);
}

// An agent goes on from its code, and of that nothing was taken with the comments.
Feedback::Outcome Session::takenOutcome() const {
    return m_besideCode > 0 && m_besideCode == m_iteration ? Feedback::Outcome::Rejected
                                                           : Feedback::Outcome::Applied;
}

// What the policy said of it, or what the person's answers left out.
QString Session::whyApplied() const {
    const QString uncalled = uncalledSentence(m_uncalled);
    return m_whyDecided.isEmpty() || uncalled.isEmpty() ? m_whyDecided + uncalled
                                                        : m_whyDecided + QLatin1Char(' ') + uncalled;
}

// `isRecorded`: measured as this iteration, and told so when it came.
void Session::scoreNow(const Evaluation &evaluation, bool isRecorded) {
    if (!m_waitsForScore)
        return;
    m_waitsForScore = false;
    const auto linked = linkStored(m_applied.store(), m_setup.workspace.state, m_iteration, evaluation.id);
    if (!linked.hasValue())
        emit trouble(linked.message());
    const Proposal proposal = m_review->proposal();
    if (!isRecorded)
        record(QStringLiteral("evaluation"),
               marked(evaluationBody({EvaluationSubject::Of::Iteration, m_iteration, proposal.id, 0},
                                     evaluation, textHashOf(m_texts)),
                      m_besideCode));
    m_evaluation = evaluation;
    ScoredProposal scoredProposal{proposal.id,
                                  proposal.title,
                                  m_iteration,
                                  summaryOf(evaluation),
                                  {},
                                  proposal.prediction,
                                  QStringLiteral("accepted"),
                                  whyApplied()};
    if (m_before && m_before->evaluation)
        scoredProposal.ratio = timeRatio(summaryOf(*m_before->evaluation), scoredProposal.summary);
    setState(SessionState::Scored);
    emit scored(scoredProposal);
    if (m_ending)
        return;
    if (m_before && m_before->isPending)
        return m_setup.mode == SessionMode::Auto ? settleStepByPolicy()
                                                 : countTime(); // waits for answerStep()
    m_before.reset();
    finishProposal(takenOutcome(), whyApplied(), scoredProposal.ratio);
}

void Session::finishProposal(Feedback::Outcome outcome, const QString &why,
                             const std::optional<TimeRatio> &ratio) {
    if (m_ending)
        return;
    m_feedback.push_back({m_review->proposal().id, outcome, why, m_review->answers(), ratio,
                          outcome == Feedback::Outcome::Applied ? m_uncalled : QStringList()});
    m_uncalled.clear();
    m_review.reset();
    m_shadow.reset();
    m_evidence.reset();
    m_isResultHidden = false;
    m_shadowHash.clear();
    m_whyDecided.clear();
    m_waitsForPolicy = false;
    m_waitsForScore = false;
    cancelMeasurements();
    ++m_meter.iterations;
    countTime();
    emit meterChanged();
    emit reviewChanged();
    goOn([this] { propose(); });
}

} // namespace warpwright
