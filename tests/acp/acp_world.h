// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_agent.h"
#include "tests/agent/session_world.h"
#include "tests/toolchain/scratch.h"

#include <functional>
#include <memory>
#include <optional>

/// A workspace with one kernel, and an external agent that works on it: the one by rules in tests/tools.
class AcpWorld {
public:
    /// `switches`: of acp_agent.py.
    explicit AcpWorld(const QStringList &switches = {});

    /// All that a request ended with.
    struct End {
        std::optional<warpwright::Proposal> proposal;
        QString done;
        QString failed;
    };
    /// Proposes, and waits for the end; what is asked meanwhile is answered by `answers`.
    End ask(const std::vector<warpwright::Feedback> &feedback = {}, const QStringList &messages = {});
    void begin(const std::vector<warpwright::Feedback> &feedback = {}, const QStringList &messages = {});
    [[nodiscard]] bool waitForEnd(int milliseconds = 20'000);
    /// A program that goes on after the one before: what was remembered, told to another agent.
    void goOn(const std::vector<warpwright::AnsweredProposal> &answered = {});
    /// The proposal is taken whole: the next request is for its text.
    void apply(const warpwright::Proposal &proposal);

    /// From now on there is something to measure with, and our tools with it.
    void measure();

    /// What the agent has noted in its log, by key, in order.
    [[nodiscard]] std::vector<warpwright::Json> noted(const char *key) const;
    [[nodiscard]] static bool hasSandbox();

    Scratch scratch;
    TextMeasurer measurer;
    warpwright::AcpAgentSetup setup;
    warpwright::AgentRequest request;
    std::unique_ptr<warpwright::AcpAgent> agent;
    std::function<QString(const warpwright::AgentPrompt &)> answers;
    std::vector<warpwright::AgentPrompt> prompts;
    std::vector<warpwright::AgentMessage> messages;
    std::vector<warpwright::ToolCall> began;
    std::vector<warpwright::ToolCall> ended;
    std::vector<warpwright::PlanItem> plan;
    std::vector<warpwright::AgentUsage> usage;
    std::vector<warpwright::Json> memories;
    QStringList notes;
    QString deltas;
    QString thoughts;
    End end;
    int endings = 0;

private:
    void listen();
    int m_proposals = 0;
};
