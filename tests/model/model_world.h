// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/model/model_agent.h"
#include "tests/agent/session_world.h"
#include "tests/model/engineer_server.h"

/// A workspace with one kernel of forty lines, ideas for it that an engineer knows, and a session of a model.
class ModelWorld {
public:
    ModelWorld();

    /// Changes these lines of kernels/a.cu.
    void addIdea(const QString &title, const std::map<int, QByteArray> &lines);
    void openServer(const QStringList &more = {});
    void open(warpwright::SessionMode mode, warpwright::ModelSetup setup,
              const warpwright::RunBudgets &budgets = {});
    [[nodiscard]] warpwright::ModelSetup
    setup(warpwright::Dialect dialect = warpwright::Dialect::OpenAiChat) const;
    [[nodiscard]] warpwright::ModelSetup setupFor(const warpwright::ModelProfile &profile) const;
    /// As a program does that was started after the one before was killed: from the record alone.
    [[nodiscard]] bool goOn(warpwright::ModelSetup setup);
    [[nodiscard]] QByteArray onDisk() const;
    [[nodiscard]] bool waitForEnd(int milliseconds = 60'000) const;
    /// All that was said to the model and by it, as it was recorded.
    [[nodiscard]] QString conversation() const;

    Scratch scratch;
    QString folder;
    MemoryRecorder recorder;
    TextMeasurer measurer;
    std::unique_ptr<EngineerServer> server;
    std::unique_ptr<warpwright::ModelAgent> agent;
    std::unique_ptr<warpwright::Session> session;
    std::vector<warpwright::ScoredProposal> scored;
    std::vector<QString> troubles;
    std::optional<std::pair<warpwright::SessionEnd, QString>> end;

private:
    void begin(warpwright::SessionSetup setup);
    int m_ideas = 0;
};
