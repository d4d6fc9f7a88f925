// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/script/script_agent.h"

#include "agent/review/hunks_that_run.h"
#include "agent/review/proposal_review.h"

#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

/// `texts` with what makes `after` of `before`; empty: the two want the same lines.
std::optional<CandidateTexts> carriedOnto(const CandidateTexts &texts, const CandidateTexts &before,
                                          const CandidateTexts &after) {
    Proposal proposal;
    proposal.base = before;
    proposal.proposed = after;
    ProposalReview carried(proposal, texts);
    carried.acceptRest();
    return carried.count().unanswered() == 0 ? std::optional(carried.texts()) : std::nullopt;
}

/// "cpu", "cuda": where the text before was measured, else what was asked for; empty: nobody knows it yet.
QString deviceKind(const AgentRequest &request) {
    if (request.lastEvaluation && request.lastEvaluation->device.is_object())
        return stringIn(request.lastEvaluation->device, "kind");
    return request.device == QLatin1String("auto") ? QString() : request.device.section(u':', 0, 0);
}

} // namespace

ScriptAgent::ScriptAgent(std::vector<ScriptStep> steps) : m_steps(std::move(steps)) {}

Result<std::unique_ptr<ScriptAgent>> ScriptAgent::open(const QString &folder) {
    using Answer = Result<std::unique_ptr<ScriptAgent>>;
    Result<std::vector<ScriptStep>> steps = readScriptFolder(folder);
    if (!steps.hasValue())
        return Answer::error(steps.message());
    return Answer::ok(std::unique_ptr<ScriptAgent>(new ScriptAgent(std::move(steps).value())));
}

AgentIdentity ScriptAgent::identity() const {
    return {AuthorKind::Script, QStringLiteral("script"), QStringLiteral("1")};
}

void ScriptAgent::propose(const AgentRequest &request) {
    Q_ASSERT(!m_isWorking);
    m_isWorking = true;
    QTimer::singleShot(0, this, [this, request, number = ++m_request] {
        if (m_isWorking && number == m_request)
            work(request);
    });
}

void ScriptAgent::cancel() {
    if (!m_isWorking)
        return;
    m_isWorking = false;
    emit failed(QStringLiteral("The script was stopped before its step \"%1\".")
                    .arg(m_next < m_steps.size() ? m_steps[m_next].name : QString()));
}

void ScriptAgent::tellPlan() {
    std::vector<PlanItem> items;
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        items.push_back({m_steps[i].title, i < m_next    ? QStringLiteral("done")
                                           : i == m_next ? QStringLiteral("working")
                                                         : QStringLiteral("waiting")});
    emit planChanged(items);
}

// Of a lesson: what there was to learn is said when it can be held against what was measured, not before.
void ScriptAgent::tellTaught(const AgentRequest &request) {
    const std::optional<std::size_t> step = std::exchange(m_toTeach, std::nullopt);
    if (step && !m_steps[*step].taught.isEmpty())
        emit message({AgentMessage::Role::Agent, request.proposal + QStringLiteral("-taught"),
                      QStringLiteral("**Step %1 of %2, what it taught.** %3")
                          .arg(*step + 1)
                          .arg(m_steps.size())
                          .arg(m_steps[*step].taught),
                      false});
}

void ScriptAgent::tellWhatRuns(const Proposal &proposal, const AgentRequest &request) {
    if (m_steps[*m_toTeach].taught.isEmpty() || !request.lastEvaluation)
        return;
    const QString words = hunksThatRunWords(hunkPlaces(proposal), notRun(request.lastEvaluation->exercised));
    if (!words.isEmpty())
        emit message({AgentMessage::Role::Agent, request.proposal + QStringLiteral("-runs"), words, false});
}

void ScriptAgent::work(const AgentRequest &request) {
    if (!m_series)
        m_series = request.texts;
    tellPlan();
    if (!m_isWorking) // whoever was told may have stopped us
        return;
    if (!request.messages.isEmpty() && !m_hasSaidThatItReadsNothing) {
        m_hasSaidThatItReadsNothing = true;
        emit message({AgentMessage::Role::Agent, request.proposal + QStringLiteral("-reads-nothing"),
                      QStringLiteral("I am a series of patches and cannot read messages: what you write "
                                     "changes nothing that I propose. It is kept in the record of this run."),
                      false});
        if (!m_isWorking)
            return;
    }
    tellTaught(request);
    if (!m_isWorking)
        return;
    if (m_next >= m_steps.size()) {
        m_isWorking = false;
        emit done(QStringLiteral("All %1 steps of the script were proposed.").arg(m_steps.size()));
        return;
    }
    if (!request.feedback.empty())
        learn(request.feedback.back());
    const QString name = m_steps[m_next].name;
    const Result<Proposal> made = make(request);
    m_toTeach = m_next++;
    if (made.hasValue())
        tellWhatRuns(made.value(), request);
    if (!m_isWorking)
        return;
    m_isWorking = false;
    if (made.hasValue())
        emit proposed(made.value());
    else
        emit failed(QStringLiteral("Cannot propose the step \"%1\": %2.").arg(name, made.message()));
}

Result<void> ScriptAgent::wasAnswered(const AnsweredProposal &answered) {
    const QString &title = answered.title;
    const CandidateTexts &texts = answered.request.texts;
    if (m_next >= m_steps.size() || m_steps[m_next].title != title)
        return Result<void>::error(
            QStringLiteral("step %1 was \"%2\", and %3 now. The folder of the script has changed since")
                .arg(m_next + 1)
                .arg(title, m_next < m_steps.size() ? QStringLiteral("is \"%1\"").arg(m_steps[m_next].title)
                                                    : QStringLiteral("there is none")));
    if (!m_series)
        m_series = texts;
    Result<PatchedTexts> after = advance(texts);
    if (!after.hasValue())
        return Result<void>::error(after.message());
    m_last = LeftOut{static_cast<int>(m_next) + 1, false, *m_series, after.value().texts};
    m_series = std::move(after).value().texts;
    learn(answered.feedback);
    m_toTeach = m_next++;
    return Result<void>::ok();
}

// What became of the step that was proposed last.
void ScriptAgent::learn(const Feedback &answer) {
    if (!m_last)
        return;
    LeftOut last = *std::exchange(m_last, std::nullopt);
    last.isInPart = answer.outcome == Feedback::Outcome::Applied;
    const bool isWhole =
        last.isInPart && std::none_of(answer.hunks.begin(), answer.hunks.end(), [](const AnsweredHunk &hunk) {
            return hunk.state == HunkState::Rejected;
        });
    if (!isWhole)
        m_leftOut.push_back(std::move(last));
}

// The last of those left out with which, and with what fits of those that were left out after it, the step
// fits.
void ScriptAgent::nameNeeded(SeriesStep &step, const CandidateTexts &now) const {
    const std::size_t at = static_cast<std::size_t>(step.number) - 1;
    for (std::size_t first = m_leftOut.size(); first-- > 0;) {
        std::optional<CandidateTexts> with = now;
        for (std::size_t i = first; i < m_leftOut.size(); ++i) {
            const auto more = m_leftOut[i].isInPart
                                  ? std::optional(m_leftOut[i].after)
                                  : carriedOnto(*with, m_leftOut[i].before, m_leftOut[i].after);
            with = more ? more : with;
        }
        const Result<PatchedTexts> after = afterStep(*m_series, m_steps[at]);
        if (*with != now && after.hasValue() && carriedOnto(*with, *m_series, after.value().texts)) {
            step.needs = m_leftOut[first].number;
            step.isNeededInPart = m_leftOut[first].isInPart;
            return;
        }
    }
}

// The text after the next step; m_series is the text before it.
Result<PatchedTexts> ScriptAgent::advance(const CandidateTexts &texts) {
    Result<PatchedTexts> after = afterStep(*m_series, m_steps[m_next]);
    if (after.hasValue())
        return after;
    // The series itself does not fit its own text; perhaps it was made for what is there now.
    after = afterStep(texts, m_steps[m_next]);
    if (after.hasValue())
        m_series = texts;
    return after;
}

Result<Proposal> ScriptAgent::make(const AgentRequest &request) {
    const ScriptStep &step = m_steps[m_next];
    Proposal proposal;
    proposal.id = request.proposal;
    proposal.baseIteration = request.iteration;
    proposal.author = identity().author();
    proposal.title = step.title;
    proposal.reason = step.reason;
    proposal.move = step.move;
    proposal.prediction = step.expectedOn(deviceKind(request));
    proposal.series = SeriesStep{static_cast<int>(m_next) + 1, step.keepsUndecided, 0, false};
    const Result<PatchedTexts> after = advance(request.texts);
    if (!after.hasValue())
        return Result<Proposal>::error(after.message());
    proposal.base = *m_series;
    proposal.proposed = after.value().texts;
    proposal.renames = after.value().renames;
    if (proposal.base != request.texts) {
        ProposalReview carried(proposal, request.texts);
        carried.acceptRest();
        if (carried.count().unanswered() == 0) {
            proposal.base = request.texts;
            proposal.proposed = carried.texts();
        }
        const bool isNothing = proposal.proposed == proposal.base && proposal.base != *m_series;
        if (carried.count().unanswered() > 0 || isNothing) {
            nameNeeded(*proposal.series, request.texts);
        }
    }
    m_last = LeftOut{proposal.series->number, false, *m_series, after.value().texts};
    m_series = after.value().texts;
    return Result<Proposal>::ok(std::move(proposal));
}

} // namespace warpwright
