// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_agent.h"
#include "agent/acp/acp_words.h"
#include "agent/model/model_words.h"
#include "agent/record/unfinished_work.h"
#include "toolchain/process/in_pool.h"

namespace warpwright {
namespace {

/// A message goes into the record of the run whole, up to this.
constexpr qsizetype longestMessage = 4 * 1024 * 1024;
constexpr qsizetype longestReason = 16 * 1024;
constexpr int mostNudges = 1;
constexpr int mostRefusals = 2;
constexpr int mostBrokenTurns = 3; // then one that dies at each turn would go on for ever

} // namespace

void AcpAgent::sessionReady(const QString &session, bool isOld) {
    const bool isNew = !std::exchange(m_isReady, true) || session != m_session;
    m_session = session;
    if (isNew && !isOld) {
        m_isSessionUnused = true;
        emit remembered(Json{{"session", toJson(session)}});
    }
    if (!m_isProposing)
        return;
    std::vector<Feedback> feedback = m_request.feedback;
    if (const auto &waiting = m_hand.waiting(); waiting && waiting->feedback && feedback.empty())
        m_request.feedback = feedback = {*waiting->feedback}; // told once more where it has to start anew
    if (const Json entry = m_hand.answered(); !entry.is_null())
        emit remembered(Json{{"hand", entry}});
    QString text;
    if (!isOld) {
        for (const QString &remark : m_place->remarks)
            tell(remark);
        text = acpTaskWords(m_request, m_place->work.folder(), m_tools != nullptr, m_place->guides);
    }
    if (isOld || !feedback.empty())
        text += (text.isEmpty() ? QString() : QStringLiteral("\n\n")) + acpGoOnWords(m_request, feedback);
    if (m_place->texts != m_request.texts)
        text += acpUnfinishedWords(changedLinesWords(m_request.texts, m_place->texts));
    sendPrompt(text + personsWords(m_request.messages));
}

void AcpAgent::takeUpdate(const AcpUpdate &update) {
    if (!m_isProposing)
        return;
    switch (update.kind) {
    case AcpUpdate::Kind::Message:
    case AcpUpdate::Kind::Thought:
        return takeText(update);
    case AcpUpdate::Kind::ToolCall: {
        closeMessage(false);
        const AcpToolCalls::Told told = m_calls.take(update.tool);
        emit noted({});
        if (told.began)
            emit toolBegan(*told.began);
        if (!told.progress.isEmpty())
            emit toolProgressed(update.tool.id, told.progress, 0, 0);
        if (told.ended)
            emit toolEnded(*told.ended);
        return;
    }
    case AcpUpdate::Kind::Plan:
        emit planChanged(update.plan);
        return;
    case AcpUpdate::Kind::Usage: {
        AgentUsage soFar = m_told;
        soFar.cost = update.cost.value_or(m_told.cost);
        soFar.currency = update.currency.isEmpty() ? m_told.currency : update.currency;
        soFar.contextTokens = update.contextTokens;
        soFar.contextLimit = update.contextLimit;
        return takeUsage(soFar);
    }
    case AcpUpdate::Kind::Other:
        return;
    }
}

void AcpAgent::takeText(const AcpUpdate &update) {
    const bool isThought = update.kind == AcpUpdate::Kind::Thought;
    // Another message, or new thoughts behind a message: what came before is whole.
    const bool isAnother =
        update.messageId != m_theirMessageId && !update.messageId.isEmpty() && !m_text.isEmpty();
    if (isAnother || (isThought && !m_text.isEmpty()))
        closeMessage(false);
    if (m_messageId.isEmpty())
        m_messageId = QStringLiteral("%1-m%2").arg(m_request.proposal).arg(++m_messages);
    m_theirMessageId = isThought ? QString() : update.messageId;
    QString &whole = isThought ? m_thinking : m_text;
    if (whole.size() < longestMessage)
        whole += update.text;
    emit noted({});
    if (isThought)
        emit thoughtDelta(m_messageId, update.text);
    else
        emit messageDelta(m_messageId, update.text);
}

void AcpAgent::closeMessage(bool isPartial) {
    if (m_messageId.isEmpty())
        return;
    const AgentMessage whole{AgentMessage::Role::Agent, std::exchange(m_messageId, {}),
                             std::exchange(m_text, {}), isPartial, std::exchange(m_thinking, {})};
    if (!whole.text.trimmed().isEmpty())
        m_lastMessage = whole.text;
    emit message(whole);
}

// An agent tells what its session has used so far; ours add up.
void AcpAgent::takeUsage(const AgentUsage &soFar) {
    AgentUsage more = soFar;
    more.tokensIn = std::max<qint64>(0, soFar.tokensIn - m_told.tokensIn);
    more.tokensOut = std::max<qint64>(0, soFar.tokensOut - m_told.tokensOut);
    more.tokensCached = std::max<qint64>(0, soFar.tokensCached - m_told.tokensCached);
    more.cost = std::max(0.0, soFar.cost - m_told.cost);
    m_told = soFar;
    emit used(more);
}

void AcpAgent::turnEnded(const AcpTurnEnd &end) {
    closeMessage(false);
    m_isSessionUnused = false;
    m_signedInBy.clear();
    for (const ToolCall &call : m_calls.endAll(QStringLiteral("ok")))
        emit toolEnded(call);
    if (end.tokensIn || end.tokensOut) {
        AgentUsage soFar = m_told;
        soFar.tokensIn = end.tokensIn.value_or(soFar.tokensIn);
        soFar.tokensOut = end.tokensOut.value_or(soFar.tokensOut);
        soFar.tokensCached = end.tokensCached.value_or(soFar.tokensCached);
        takeUsage(soFar);
    }
    if (!m_isProposing) // it was stopped, or a budget has ended the run
        return;
    if (end.stop == AcpStop::Refusal || end.stop == AcpStop::Cancelled || end.stop == AcpStop::Other)
        return turnBroken(acpStopWords(m_setup.profile.name, end, m_lastMessage));
    inPool(
        this, [work = m_place->work] { return takeAcpWork(work); },
        [this, end, number = m_asked](const Result<AcpWork> &work) {
            if (!m_isProposing || number != m_asked)
                return;
            if (work.hasValue())
                takeWork(end, work.value());
            else
                refuseWork(work.message());
        });
}

// What it made is no candidate (too many files, an odd name): that it can put right.
void AcpAgent::refuseWork(const QString &why) {
    if (m_refusals++ >= mostRefusals)
        return fail(why);
    tell(acpRefusedWorkWords(m_setup.profile.name, why));
    if (m_isProposing)
        sendPrompt(acpRefusedWorkPrompt(why));
}

// As far as it came, it is worth as much as at the end of a turn.
void AcpAgent::turnBroken(const QString &why) {
    if (!m_isProposing)
        return;
    if (!m_place || ++m_brokenTurns > mostBrokenTurns)
        return fail(why);
    inPool(
        this, [work = m_place->work] { return takeAcpWork(work); },
        [this, why, number = m_asked](const Result<AcpWork> &work) {
            if (!m_isProposing || number != m_asked)
                return;
            if (work.hasValue())
                takeBrokenWork(why, work.value());
            else
                fail(why);
        });
}

void AcpAgent::takeBrokenWork(const QString &why, const AcpWork &work) {
    if (!work.putBack.isEmpty())
        tell(acpPutBackWords(m_setup.profile.name, work.putBack));
    const QStringList changed = changedFiles(m_request.texts, work.texts);
    if (changed.isEmpty())
        return fail(why);
    tell(acpBrokenWords(why, changedLinesWords(m_request.texts, work.texts)));
    if (m_isProposing)
        propose(work.texts, changed);
}

void AcpAgent::takeWork(const AcpTurnEnd &end, const AcpWork &work) {
    if (!work.putBack.isEmpty())
        tell(acpPutBackWords(m_setup.profile.name, work.putBack));
    if (!m_isProposing)
        return;
    m_brokenTurns = 0;
    const QStringList changed = changedFiles(m_request.texts, work.texts);
    const bool isCutOff = end.stop != AcpStop::EndTurn;
    if (isCutOff && m_nudges++ < mostNudges) {
        tell(acpLimitWords(m_setup.profile.name, end) + QStringLiteral(" It is asked to go on."));
        if (m_isProposing)
            sendPrompt(acpCutOffWords(end));
        return;
    }
    if (isCutOff && !changed.isEmpty())
        tell(acpBrokenWords(acpLimitWords(m_setup.profile.name, end),
                            changedLinesWords(m_request.texts, work.texts)));
    if (!m_isProposing)
        return;
    if (!changed.isEmpty())
        return propose(work.texts, changed);
    if (isCutOff)
        return fail(acpStopWords(m_setup.profile.name, end, m_lastMessage));
    if (saysDone(m_lastMessage))
        return this->end(
            QStringLiteral("%1 is done: %2").arg(m_setup.profile.name, doneWords(m_lastMessage)));
    if (m_nudges++ < mostNudges)
        return sendPrompt(acpNudgeWords(work.putBack));
    this->end(QStringLiteral("%1 changed nothing more; its last words: %2")
                  .arg(m_setup.profile.name, doneWords(m_lastMessage)));
}

void AcpAgent::propose(const CandidateTexts &texts, const QStringList &changed) {
    Proposal proposal;
    proposal.id = m_request.proposal;
    proposal.baseIteration = m_request.iteration;
    proposal.author = identity().author();
    proposal.title = acpTitle(m_lastMessage, changed);
    proposal.reason = m_lastMessage.left(longestReason);
    if (m_tools && m_tools->submission()) {
        const ToolSubmission &submission = *m_tools->submission();
        proposal.title = submission.title;
        proposal.reason = submission.reason;
        proposal.prediction = submission.prediction;
    }
    proposal.base = m_request.texts;
    proposal.proposed = texts;
    Json entry = m_hand.setTexts(m_request.texts, m_request.texts);
    entry.update(m_hand.submitted({}, proposal, {}));
    emit remembered(Json{{"hand", entry}});
    if (!std::exchange(m_isProposing, false))
        return;
    emit noted({});
    emit proposed(proposal);
}

} // namespace warpwright
