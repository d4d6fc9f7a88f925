// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/endpoint.h"
#include "agent/interface/agent.h"
#include "agent/model/conversation.h"
#include "agent/model/model_memory.h"
#include "agent/tools/toolbox.h"

#include <QElapsedTimer>

#include <deque>
#include <memory>

namespace warpwright {

class KeyStore;

/// Where a model's run ends by itself, beside the run's own budgets.
struct ModelLimits {
    int turns = 200;       ///< answers of the model in a run
    int talks = 3;         ///< answers without a call, in a row
    int sameCalls = 3;     ///< from this one on a call that only repeats the one before is not carried out
    int mostSameCalls = 8; ///< then the run ends
    double pruneAt = 0.8;  ///< of the room that the window leaves for the conversation
    double pruneTo = 0.5;

    bool operator==(const ModelLimits &) const = default;
};

/// What a model works with.
struct ModelSetup {
    ModelProfile profile;
    EvaluationRequest request; ///< with which its tools measure; all but the path
    ModelLimits limits = {};
    EndpointPatience patience = {};
};

/// A language model that works with tools (ReAct): reads, writes and measures in a copy of the workspace, as
/// many turns as it wants, until it submits a proposal; then waits for what became of it.
///
/// All that it needs to go on elsewhere it gives as remembered(): what was said, what lies in its copy, what
/// it has submitted. Its copy holds the text as reviewed whenever it is asked anew. Always asynchronous.
class ModelAgent : public Agent {
    Q_OBJECT
public:
    explicit ModelAgent(ModelSetup setup, QObject *parent = nullptr);
    ~ModelAgent() override;

    [[nodiscard]] AgentIdentity identity() const override;
    [[nodiscard]] QString whyCostUnknown() const override;
    void setMeasurer(Measurer &measurer) override;
    void propose(const AgentRequest &request) override;
    void cancel() override;
    void hear(const QStringList &messages) override { m_heard += messages; }
    [[nodiscard]] Result<void> wasAnswered(const AnsweredProposal &answered) override;
    [[nodiscard]] Result<void> recall(const Json &memory) override;
    [[nodiscard]] bool failsForAll() const override { return m_failsForAll; }

private:
    // model_agent.cpp: the course of a run
    void begin();
    void takeKey(const QString &key);
    [[nodiscard]] bool openToolbox();
    [[nodiscard]] bool layOut();
    void goOn();
    void proposeAgain();
    void say(const QString &text);
    void end(const QString &why);
    void fail(const QString &why);
    void keepUnfinished();
    void add(ChatMessage message, const Json &hand = {});
    [[nodiscard]] QString heardWords();
    // model_turns.cpp: one answer of the model, and what follows from it
    void listenToEndpoint();
    void turn();
    void takeReply(const ChatReply &reply);
    void takeProblem(const EndpointProblem &problem);
    void takeTalk(const ChatReply &reply);
    [[nodiscard]] QString whyNoWindow() const;
    [[nodiscard]] bool makeRoom();
    bool prune(qint64 untilTokens, qint64 mostTokens, Conversation::Last last);
    void askForSummary();
    void takeSummary(const QString &summary);
    void tellCut(const Conversation::Cut &cut);
    [[nodiscard]] bool isCountRight(const ChatReply &reply);
    [[nodiscard]] qint64 window() const;
    [[nodiscard]] qint64 room() const;
    [[nodiscard]] qint64 workRoom() const;
    // model_calls.cpp: the calls of one answer
    void callNext();
    [[nodiscard]] QString whyNotCalled(const ChatCall &call, Json &arguments);
    void takeAnswer(const QString &id, const ToolAnswer &answer);
    void endCall(const ToolAnswer &answer);
    void takeSubmission(const ToolSubmission &submission);
    void finishCalls();
    [[nodiscard]] Json textsEntry();

    ModelSetup m_setup;
    Measurer *m_measurer = nullptr;
    std::unique_ptr<KeyStore> m_keys;
    std::unique_ptr<Endpoint> m_endpoint;
    std::unique_ptr<Toolbox> m_toolbox;
    Conversation m_conversation;
    ModelMemory m_memory;
    bool m_isUnfinished = false; ///< m_memory has what it changed and did not submit, and a run ended on it
    AgentRequest m_request;
    bool m_isProposing = false;
    bool m_isSummingUp = false;
    bool m_failsForAll = false;
    int m_overflows = 0;            ///< of the request that is asked, one after the other
    std::optional<qint64> m_window; ///< as the endpoint said it; empty: the profile's
    bool m_hasToldCount = false;    ///< that the endpoint reads less than it is sent

    int m_turns = 0;
    int m_talks = 0;
    QString m_messageId; ///< of the answer that streams
    QString m_partial;
    std::deque<ChatCall> m_calls; ///< of the last answer, from the one that runs on
    std::vector<ChatResult> m_results;
    ToolCall m_call; ///< that runs
    QElapsedTimer m_callClock;
    QByteArray m_lastCall; ///< name and arguments
    int m_sameCalls = 0;
    QStringList m_heard;                        ///< from the person, for the message that is being made
    std::optional<ToolSubmission> m_submission; ///< of the answer whose calls are being carried out
};

} // namespace warpwright
