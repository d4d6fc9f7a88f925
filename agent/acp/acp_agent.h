// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_client.h"
#include "agent/acp/acp_place.h"
#include "agent/acp/acp_tool_calls.h"
#include "agent/interface/agent.h"
#include "agent/mcp/mcp_door.h"
#include "agent/mcp/run_tools.h"
#include "agent/model/model_memory.h"
#include "toolchain/check/evaluation_run.h"

#include <memory>

namespace warpwright {

/// What an external agent works with.
struct AcpAgentSetup {
    AcpProfile profile;
    EvaluationRequest request; ///< with which our tools measure for it; all but the path
    AcpPatience patience = {};
    QStringList writable = {}; ///< beside its work folder
};

/// An external agent (Claude Code, Codex, Gemini CLI …) behind our interface, by the Agent Client Protocol.
///
/// It works in a copy of the workspace, in a sandbox, with our tools beside its own. When its turn ends, all
/// that differs in the copy is the proposal, by whatever way it came there. What it asks its person is our
/// prompt; a stop answers for nobody. A turn that is broken off (it dies, refuses) is taken as far as it
/// came; where the run ends in a turn, what differs is remembered, and the copy begins with it later. A run
/// that goes on takes its session up again where the agent can, else begins a new one that is told what was.
class AcpAgent : public Agent {
    Q_OBJECT
public:
    explicit AcpAgent(AcpAgentSetup setup, QObject *parent = nullptr);
    ~AcpAgent() override;

    [[nodiscard]] AgentIdentity identity() const override;
    void setMeasurer(Measurer &measurer) override;
    void propose(const AgentRequest &request) override;
    void cancel() override;
    void answerPrompt(const QString &id, const QString &answer) override;
    [[nodiscard]] Result<void> wasAnswered(const AnsweredProposal &answered) override;
    [[nodiscard]] Result<void> recall(const Json &memory) override;
    [[nodiscard]] bool failsForAll() const override { return m_failsForAll; }

    /// 0: none runs.
    [[nodiscard]] qint64 processId() const { return m_client ? m_client->processId() : 0; }

private:
    // acp_agent.cpp: the course of a run
    void begin();
    void proposeAgain();
    void takePlace(const AcpPlace &place);
    [[nodiscard]] Result<void> layOutTools();
    [[nodiscard]] AcpToolServer toolServer() const;
    void trySandbox();
    void askWithoutSandbox(const QString &why);
    void openClient();
    void dropClient();
    void sendPrompt(const QString &text);
    struct Question {
        AgentPrompt::About about = AgentPrompt::About::Permission;
        QString permission;
        std::vector<std::pair<QString, QString>> options; ///< what people read, and what the agent calls it
    };
    void ask(const Question &question, const QString &words, const QString &allowing = {},
             const QString &rejecting = {});
    void askPermission(const QString &id, const AcpPermission &permission);
    void askSignIn(const std::vector<AcpAuthMethod> &methods);
    void signIn(const QString &method);
    void end(const QString &why);
    void fail(const QString &why); ///< once what it leaves is kept
    void keepUnfinished(const Result<AcpWork> &work);
    void tell(const QString &text); ///< of the system
    // acp_turn.cpp: one turn of the agent, and what follows from it
    void sessionReady(const QString &session, bool isOld);
    void takeUpdate(const AcpUpdate &update);
    void takeText(const AcpUpdate &update);
    void closeMessage(bool isPartial);
    void takeUsage(const AgentUsage &soFar);
    void turnEnded(const AcpTurnEnd &end);
    void turnBroken(const QString &why);
    void takeBrokenWork(const QString &why, const AcpWork &work);
    void takeWork(const AcpTurnEnd &end, const AcpWork &work);
    void refuseWork(const QString &why);
    void propose(const CandidateTexts &texts, const QStringList &changed);

    AcpAgentSetup m_setup;
    Measurer *m_measurer = nullptr;
    AgentRequest m_request;
    int m_asked = 0; ///< requests so far: answers from the pool to an older one are of no interest
    bool m_isProposing = false;
    bool m_failsForAll = false; ///< no session of it was ever opened
    std::optional<AcpPlace> m_place;
    std::unique_ptr<AcpSandboxTrial> m_trial;
    bool m_isTrusted = false;          ///< the person lets it run without a sandbox
    std::unique_ptr<RunTools> m_tools; ///< none: there is nothing to measure with
    std::unique_ptr<McpDoor> m_door;
    std::unique_ptr<AcpClient> m_client;
    bool m_isReady = false;
    QString m_session;                   ///< of now, or of an earlier program
    bool m_isSessionUnused = false;      ///< no turn in it has ended
    std::vector<AcpAuthMethod> m_waysIn; ///< as it asked for a sign-in last
    QString m_signedInBy; ///< the way that was taken and that no turn has proved yet; empty: none
    ModelMemory m_hand;
    bool m_isUnfinished = false; ///< m_hand has the text that it left, and the next copy begins with

    std::map<QString, Question> m_questions;
    int m_lastQuestion = 0;

    AcpToolCalls m_calls;
    int m_messages = 0;
    QString m_messageId; ///< ours, of the one that is being written; empty: none
    QString m_theirMessageId;
    QString m_text;
    QString m_thinking;
    QString m_lastMessage; ///< of this turn
    int m_nudges = 0;
    int m_refusals = 0;    ///< turns of this request whose work could not be taken
    int m_brokenTurns = 0; ///< one after the other
    AgentUsage m_told;     ///< all that was told as used
};

} // namespace warpwright
