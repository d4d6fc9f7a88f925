// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/script_agent.h"

#include "agent/proposal_review.h"

#include <QTimer>

namespace warpwright {

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
    if (m_next >= m_steps.size()) {
        m_isWorking = false;
        emit done(QStringLiteral("All %1 steps of the script were proposed.").arg(m_steps.size()));
        return;
    }
    const QString name = m_steps[m_next].name;
    const Result<Proposal> made = make(request);
    ++m_next;
    m_isWorking = false;
    if (made.hasValue())
        emit proposed(made.value());
    else
        emit failed(QStringLiteral("Cannot propose the step \"%1\": %2.").arg(name, made.message()));
}

Result<void> ScriptAgent::wasAnswered(const QString &title, const CandidateTexts &texts) {
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
    m_series = std::move(after).value().texts;
    ++m_next;
    return Result<void>::ok();
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
    proposal.prediction = step.prediction;
    const Result<PatchedTexts> after = advance(request.texts);
    if (!after.hasValue())
        return Result<Proposal>::error(after.message());
    proposal.base = std::exchange(*m_series, after.value().texts);
    proposal.proposed = after.value().texts;
    proposal.renames = after.value().renames;
    if (proposal.base != request.texts) {
        ProposalReview carried(proposal, request.texts);
        carried.acceptRest();
        if (carried.count().unanswered() == 0) {
            proposal.base = request.texts;
            proposal.proposed = carried.texts();
        }
    }
    return Result<Proposal>::ok(std::move(proposal));
}

} // namespace warpwright
