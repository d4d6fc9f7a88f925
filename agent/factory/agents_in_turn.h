// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"

#include <memory>

namespace warpwright {

/// One agent until it has nothing more to propose, then another one that goes on from the text: a model that
/// begins with what the built-in expert writes.
///
/// Is the second one for people and for the record; each proposal names who made it. Where the first fails,
/// for it knows no kernel for the reference, the second begins all the same.
class AgentsInTurn : public Agent {
    Q_OBJECT
public:
    AgentsInTurn(std::shared_ptr<Agent> first, std::shared_ptr<Agent> second);

    [[nodiscard]] AgentIdentity identity() const override { return m_second->identity(); }
    [[nodiscard]] QString whyCostUnknown() const override { return m_second->whyCostUnknown(); }
    void moveTo(QThread *thread) override;
    void setMeasurer(Measurer &measurer) override;
    void prepare(const AgentRequest &request) override;
    [[nodiscard]] Result<void> wasAnswered(const AnsweredProposal &answered) override;
    [[nodiscard]] Result<void> recall(const Json &memory) override;
    void propose(const AgentRequest &request) override;
    void cancel() override;
    void hear(const QStringList &messages) override;
    void answerPrompt(const QString &id, const QString &answer) override;
    [[nodiscard]] bool failsForAll() const override { return now().failsForAll(); }

private:
    void listenTo(Agent &agent, bool isFirst);
    void pass(const QString &why);
    [[nodiscard]] Agent &now() const { return m_isSecond ? *m_second : *m_first; }

    std::shared_ptr<Agent> m_first;
    std::shared_ptr<Agent> m_second;
    AgentRequest m_request;
    bool m_isSecond = false;
    bool m_isStopped = false;
};

} // namespace warpwright
