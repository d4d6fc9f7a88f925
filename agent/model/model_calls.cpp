// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/model_agent.h"
#include "agent/model/model_words.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype mostRecorded = 64 * 1024; // characters of one result, and bytes of its arguments

/// What the record and a person see of arguments; a text of megabytes is in the memory of what was said.
Json shownArguments(const ChatCall &call, const Json &arguments) {
    if (call.arguments.size() <= mostRecorded)
        return arguments.is_null() ? Json(toJson(QString::fromUtf8(call.arguments))) : arguments;
    return Json(toJson(QStringLiteral("%1 bytes").arg(call.arguments.size())));
}

} // namespace

/// Empty: it can be called with `arguments`; else the one clear answer to it.
QString ModelAgent::whyNotCalled(const ChatCall &call, Json &arguments) {
    const QByteArray key = call.name.toUtf8() + ' ' + call.arguments;
    m_sameCalls = key == m_lastCall ? m_sameCalls + 1 : 1;
    m_lastCall = key;
    const QByteArray text = call.arguments.trimmed();
    if (text.isEmpty()) {
        arguments = Json::object();
    } else {
        Result<Json> read = parseJson(text);
        // Some servers quote them twice.
        if (read.hasValue() && read.value().is_string())
            read = parseJson(QByteArray::fromStdString(read.value().get<std::string>()));
        if (!read.hasValue())
            return noJsonWords(call.name, read.message());
        if (!read.value().is_object())
            return noObjectWords(call.name);
        arguments = std::move(read).value();
    }
    return m_sameCalls >= m_setup.limits.sameCalls ? sameCallWords(call.name, m_sameCalls) : QString();
}

void ModelAgent::callNext() {
    if (!m_isProposing)
        return;
    if (m_calls.empty())
        return finishCalls();
    const ChatCall &call = m_calls.front();
    Json arguments;
    const QString why = m_submission ? afterSubmitWords() : whyNotCalled(call, arguments);
    m_call = {call.id, call.name, shownArguments(call, arguments), 0, {}, {}};
    m_callClock.start();
    emit toolBegan(m_call);
    if (!m_isProposing)
        return;
    if (!why.isEmpty())
        return endCall({ToolAnswer::Outcome::Failed, why, {}});
    m_toolbox->call(call.id, call.name, arguments);
}

void ModelAgent::takeAnswer(const QString &id, const ToolAnswer &answer) {
    if (m_isProposing && id == m_call.id)
        endCall(answer);
}

// What is to be reviewed; the result of its call comes with the next request.
void ModelAgent::takeSubmission(const ToolSubmission &submission) {
    if (!m_isProposing || m_calls.empty())
        return;
    m_submission = submission;
    m_toolbox->answerSubmission(
        m_call.id, {ToolAnswer::Outcome::Ok, QStringLiteral("Proposed as %1.").arg(m_request.proposal), {}});
}

void ModelAgent::endCall(const ToolAnswer &answer) {
    const bool isSubmission = m_submission && m_calls.front().name == QLatin1String("submit") &&
                              answer.outcome == ToolAnswer::Outcome::Ok;
    const ChatCall call = m_calls.front();
    m_calls.pop_front();
    m_call.seconds = static_cast<double>(m_callClock.elapsed()) / 1000;
    m_call.outcome = toolOutcomeName(answer.outcome);
    m_call.result = answer.text.left(mostRecorded);
    emit toolEnded(std::exchange(m_call, {}));
    if (isSubmission)
        m_lastCall.clear();
    // The place of the submission's result is kept by its call alone.
    m_results.push_back({call.id, call.name, isSubmission ? QString() : answer.text,
                         answer.outcome != ToolAnswer::Outcome::Ok});
    if (!m_isProposing)
        return;
    if (m_sameCalls >= m_setup.limits.mostSameCalls)
        return end(QStringLiteral("%1 made the same call %2 times in a row: %3.")
                       .arg(m_setup.profile.name)
                       .arg(m_sameCalls)
                       .arg(call.name));
    callNext();
}

void ModelAgent::finishCalls() {
    Json hand = textsEntry();
    if (m_submission) {
        const ToolSubmission submission = *std::exchange(m_submission, {});
        const auto submit = std::find_if(m_results.begin(), m_results.end(), [](const ChatResult &result) {
            return result.name == QLatin1String("submit") && result.text.isEmpty() && !result.isError;
        });
        Proposal proposal;
        proposal.id = m_request.proposal;
        proposal.baseIteration = m_request.iteration;
        proposal.author = identity().author();
        proposal.title = submission.title;
        proposal.reason = submission.reason;
        proposal.prediction = submission.prediction;
        proposal.base = m_request.texts;
        proposal.proposed = submission.texts;
        hand.update(m_memory.submitted(submit->call, proposal, m_results));
        emit remembered(Json{{"hand", hand}});
        m_results.clear();
        m_isProposing = false;
        emit noted({});
        emit proposed(proposal);
        return;
    }
    ChatMessage results;
    results.role = ChatMessage::Role::Results;
    results.results = std::exchange(m_results, {});
    results.text = heardWords();
    add(std::move(results), hand);
    turn();
}

/// What its copy holds now, to remember; null: as before.
Json ModelAgent::textsEntry() {
    const Result<CandidateTexts> texts = m_toolbox->texts();
    return texts.hasValue() ? m_memory.setTexts(texts.value(), m_memory.base()) : Json();
}

} // namespace warpwright
