// SPDX-License-Identifier: GPL-3.0-or-later
// A session's third part: the person's answers, each recorded.
#include "agent/session/session.h"

#include "agent/review/text_change.h"

#include <algorithm>
#include <utility>

namespace warpwright {

QString Session::whyNoAnswer() const {
    if (m_state == SessionState::AwaitingReview && m_review)
        return {};
    return QStringLiteral("Nothing can be answered now: the run is %1. Wait for a proposal in review.")
        .arg(sessionStateName(m_state));
}

std::map<int, HunkState> Session::hunkStates() const {
    std::map<int, HunkState> states;
    if (m_review)
        for (const int id : m_review->hunkIds())
            states[id] = m_review->hunk(id)->state;
    return states;
}

// A conflict is recorded when it comes up.
void Session::noticeConflicts(const std::map<int, HunkState> &before) {
    for (const auto &[id, state] : hunkStates()) {
        const auto was = before.find(id);
        if (state == HunkState::Conflict && (was == before.end() || was->second != HunkState::Conflict))
            record(QStringLiteral("conflict"), conflictBody(m_review->proposal().id, *m_review->hunk(id)));
    }
}

Result<Session::Token> Session::answered(int hunk, const char *answer, const QString &reason,
                                         const TextLines *lines, const Result<Token> &given) {
    if (!given.hasValue() || given.value() == 0)
        return given;
    // Lines that were typed in an answered hunk: it was opened as a conflict instead.
    if (m_review->hunk(hunk)->state == HunkState::Conflict) {
        noticeConflicts({});
    } else {
        Json body{{"proposal", toJson(m_review->proposal().id)},
                  {"hunk", hunkIdToJson(hunk)},
                  {"answer", answer},
                  {"by", "person"},
                  {"reason", toJson(reason)}};
        if (lines != nullptr)
            body["newLines"] = linesToJson(*lines);
        record(QStringLiteral("decision"), body);
    }
    emit reviewChanged();
    return given;
}

Result<Session::Token> Session::accept(int hunk, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<Token>::error(why);
    return answered(hunk, "accept", reason, nullptr, m_review->accept(hunk, reason));
}

Result<Session::Token> Session::reject(int hunk, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<Token>::error(why);
    return answered(hunk, "reject", reason, nullptr, m_review->reject(hunk, reason));
}

Result<Session::Token> Session::edit(int hunk, const TextLines &lines, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<Token>::error(why);
    m_hasHandEdits = true;
    return answered(hunk, "edit", reason, &lines, m_review->edit(hunk, lines, reason));
}

Result<Session::Token> Session::resolved(int hunk, const char *resolution, const Result<Token> &given) {
    if (!given.hasValue() || given.value() == 0)
        return given;
    record(QStringLiteral("conflict-resolved"),
           Json{{"proposal", toJson(m_review->proposal().id)},
                {"hunk", hunkIdToJson(hunk)},
                {"resolution", resolution},
                {"newLines", linesToJson(m_review->hunk(hunk)->standing)}});
    emit reviewChanged();
    return given;
}

Result<Session::Token> Session::resolve(int hunk, FileReview::Side side, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<Token>::error(why);
    return resolved(hunk, side == FileReview::Side::Mine ? "mine" : "theirs",
                    m_review->resolve(hunk, side, reason));
}

Result<Session::Token> Session::resolveWith(int hunk, const TextLines &lines, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<Token>::error(why);
    return resolved(hunk, "edit", m_review->resolveWith(hunk, lines, reason));
}

Result<void> Session::giveReason(const std::vector<int> &hunks, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<void>::error(why);
    bool isGiven = false;
    for (const int id : hunks) {
        const Hunk *found = m_review->hunk(id);
        if (found == nullptr || found->state != HunkState::Rejected || !m_review->giveReason(id, reason))
            continue; // answered otherwise meanwhile
        isGiven = true;
        record(QStringLiteral("decision"), Json{{"proposal", toJson(m_review->proposal().id)},
                                                {"hunk", hunkIdToJson(id)},
                                                {"answer", "reject"},
                                                {"by", "person"},
                                                {"reason", toJson(reason)}});
    }
    if (isGiven)
        emit reviewChanged();
    return Result<void>::ok();
}

Result<void> Session::answerRest(const QString &file, bool isAccepted, const QString &reason,
                                 const char *by) {
    const int open = m_review->count().open;
    // One that was opened to be edited has an answer in the record: it gets another by its name.
    const std::vector<int> ids = m_review->hunkIds();
    const bool isAnyUntouched =
        std::any_of(ids.begin(), ids.end(), [this](int id) { return m_review->hunk(id)->isUntouched(); });
    const std::vector<int> done =
        isAccepted ? m_review->acceptRest(file, reason) : m_review->rejectRest(file, reason);
    const bool isWhole = static_cast<int>(done.size()) == open && !isAnyUntouched;
    Json body{{"proposal", toJson(m_review->proposal().id)},
              {"answer", isAccepted ? "accept" : "reject"},
              {"by", by},
              {"reason", toJson(reason)}};
    if (isWhole && !done.empty()) {
        record(QStringLiteral("decision"), body);
    } else {
        for (const int hunk : done) {
            body["hunk"] = hunkIdToJson(hunk);
            record(QStringLiteral("decision"), body);
        }
    }
    if (!done.empty())
        emit reviewChanged();
    return Result<void>::ok();
}

Result<void> Session::acceptRest(const QString &file, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<void>::error(why);
    return answerRest(file, true, reason, "person");
}

Result<void> Session::rejectRest(const QString &file, const QString &reason) {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<void>::error(why);
    return answerRest(file, false, reason, "person");
}

bool Session::unanswer(Token token) {
    if (!whyNoAnswer().isEmpty() || !m_review->unanswer(token))
        return false;
    record(QStringLiteral("decision-undone"), Json{{"proposal", toJson(m_review->proposal().id)},
                                                   {"hunk", hunkIdToJson(m_review->hunkOf(token))}});
    emit reviewChanged();
    return true;
}

bool Session::answerAgain(Token token) {
    if (!whyNoAnswer().isEmpty() || !m_review->answerAgain(token))
        return false;
    record(QStringLiteral("decision-redone"), Json{{"proposal", toJson(m_review->proposal().id)},
                                                   {"hunk", hunkIdToJson(m_review->hunkOf(token))}});
    emit reviewChanged();
    return true;
}

bool Session::undo() {
    return m_review && unanswer(m_review->lastAnswer());
}

bool Session::redo() {
    return m_review && answerAgain(m_review->lastTakenBack());
}

bool Session::typed(const QString &file, const TextEdit &edit) {
    // Once it is applied the text is the workspace's: what is typed there is noticed when it is saved.
    if (!whyNoAnswer().isEmpty())
        return false;
    const std::map<int, HunkState> before = hunkStates();
    if (!m_review->typed(file, edit))
        return false;
    m_hasHandEdits = true;
    noticeConflicts(before);
    emit reviewChanged();
    return true;
}

Result<void> Session::apply() {
    if (const QString why = whyNoAnswer(); !why.isEmpty())
        return Result<void>::error(why);
    if (const ReviewCount count = m_review->count(); count.unanswered() > 0)
        return Result<void>::error(
            QStringLiteral("Cannot apply the proposal \"%1\": %2 of %3 hunks are not answered, %4 "
                           "of them conflicts. Answer hunk %5 next.")
                .arg(m_review->proposal().id)
                .arg(count.unanswered())
                .arg(count.total())
                .arg(count.conflict)
                .arg(m_review->nextUnanswered()));
    showResult(QStringLiteral("the answers are applied"));
    setState(SessionState::Applying);
    goOn([this] { applyNow(); });
    return Result<void>::ok();
}

Result<void> Session::bet(const QString &by, const Prediction &prediction) {
    if (!m_review)
        return Result<void>::error(QStringLiteral("Cannot take the bet: no proposal is under review."));
    if (m_shadow && !m_isResultHidden)
        return Result<void>::error(
            QStringLiteral("Cannot take the bet: the result of \"%1\" was shown already.")
                .arg(m_review->proposal().id));
    record(QStringLiteral("bet"), Json{{"proposal", toJson(m_review->proposal().id)},
                                       {"by", toJson(by)},
                                       {"prediction", predictionToJson(prediction)}});
    // One that says nothing takes it back.
    m_hasBet = prediction != Prediction{};
    // Until there is a result it can be changed; nothing is shown that another bet would only copy.
    if (m_shadow && m_hasBet)
        showResult(QStringLiteral("the bet is placed"));
    return Result<void>::ok();
}

Result<void> Session::hideResult() {
    if (!m_review || m_setup.mode != SessionMode::Review)
        return Result<void>::error(
            QStringLiteral("Nothing to bet on: a bet is placed on a proposal that you review."));
    if (m_isResultHidden || m_hasBet)
        return Result<void>::ok();
    if (m_shadow)
        return Result<void>::error(
            QStringLiteral("Too late to bet: the result of \"%1\" was shown already. Bet "
                           "on the next one, or switch on «Bet before results».")
                .arg(m_review->proposal().id));
    m_isResultHidden = true;
    record(QStringLiteral("result-hidden"), Json{{"proposal", toJson(m_review->proposal().id)}});
    emit evidenceChanged();
    return Result<void>::ok();
}

void Session::showResult(const QString &why) {
    if (!m_isResultHidden || !m_review)
        return;
    m_isResultHidden = false;
    record(QStringLiteral("result-shown"),
           Json{{"proposal", toJson(m_review->proposal().id)}, {"why", toJson(why)}});
    emit evidenceChanged();
}

void Session::recordBudgets(const RunBudgets &before) {
    if (before != m_setup.budgets)
        record(QStringLiteral("budgets-changed"),
               Json{{"from", budgetsToJson(before)}, {"to", budgetsToJson(m_setup.budgets)}});
}

void Session::setBudgets(const RunBudgets &budgets) {
    if (budgets == m_setup.budgets)
        return;
    const RunBudgets before = std::exchange(m_setup.budgets, budgets);
    if (m_state != SessionState::Idle && m_state != SessionState::Ended)
        recordBudgets(before);
    emit meterChanged();
    endsByBudget(); // counts the time as well, and sets its limit anew
}

void Session::setMessages(const QStringList &messages) {
    if (m_messages == messages)
        return;
    m_messages = messages;
    if (m_state != SessionState::Idle && m_state != SessionState::Ended)
        recordWaitingMessages();
}

// The program died while a person answered: what was answered stands.
void Session::answerAsBefore() {
    if (!m_setup.continued || m_setup.mode != SessionMode::Review)
        return;
    const GivenAnswers before = std::exchange(m_setup.continued->given, {});
    const Proposal &proposal = m_review->proposal();
    if (before.resultHash.isEmpty() || before.baseHash != textHashOf(proposal.base) ||
        before.resultHash != textHashOf(ProposalReview(proposal, proposal.base).textsAccepted()))
        return;
    for (const auto &[id, given] : before.answers.given()) {
        const int hunk = id.toInt();
        const Hunk *there = m_review->hunk(hunk);
        // Whoever resolved a conflict did so beside lines that are not there any more.
        if (given.by != QLatin1String("person") || given.isOfConflict || there == nullptr ||
            there->state != HunkState::Open)
            continue;
        const bool isEdit = given.answer == QLatin1String("edit");
        const QByteArray word = given.answer.toLatin1();
        const Result<Token> again = isEdit ? m_review->edit(hunk, given.newLines, given.reason)
                                    : given.answer == QLatin1String("accept")
                                        ? m_review->accept(hunk, given.reason)
                                        : m_review->reject(hunk, given.reason);
        const Result<Token> done =
            answered(hunk, word.constData(), given.reason, isEdit ? &given.newLines : nullptr, again);
        Q_UNUSED(done); // where it does not fit any more, it is asked again
    }
}

void Session::recordWaitingMessages() {
    record(QStringLiteral("messages-waiting"), Json{{"texts", stringsToJson<Json>(m_messages)}});
}

Result<void> Session::measureHunk(int hunk, bool isWithout) {
    if (!m_review || m_ending || m_review->hunk(hunk) == nullptr)
        return Result<void>::error(
            QStringLiteral("Cannot measure hunk %1: it is not under review.").arg(hunk));
    const CandidateTexts texts =
        m_review->textsWith([hunk, isWithout](int id) { return (id == hunk) != isWithout; });
    Purpose purpose;
    purpose.subject = {isWithout ? EvaluationSubject::Of::WithoutHunk : EvaluationSubject::Of::Hunk,
                       m_iteration, m_review->proposal().id, hunk};
    measure(texts, purpose, true);
    return Result<void>::ok();
}

bool Session::isEvidenceCurrent() const {
    return m_review && m_evidence && m_evidence->textHash == textHashOf(m_review->texts());
}

} // namespace warpwright
