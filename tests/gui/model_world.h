// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent/message_list.h"
#include "tests/gui/review_world.h"

#include <memory>
#include <optional>

/// An agent that thinks, streams, calls tools and asks, as the test tells it to.
class ToldAgent : public warpwright::Agent {
public:
    [[nodiscard]] warpwright::AgentIdentity identity() const override;
    void propose(const warpwright::AgentRequest &request) override { m_request = request; }
    void cancel() override;
    void answerPrompt(const QString &id, const QString &answer) override;
    [[nodiscard]] bool isAsked() const { return m_request.has_value(); }
    /// Proposes this text of the kernel.
    void submit(const QByteArray &text);

    std::vector<std::pair<QString, QString>> answers; ///< to its prompts: id and answer

private:
    std::optional<warpwright::AgentRequest> m_request;
};

/// A run of a ToldAgent that has been asked for its first proposal.
struct ModelWorld : ReviewWorld {
    ModelWorld() : ReviewWorld(0) {}

    [[nodiscard]] bool beginModel(warpwright::SessionMode mode = warpwright::SessionMode::Review,
                                  const warpwright::RunBudgets &budgets = {});
    [[nodiscard]] warpwright::AgentEventModel &events() const { return panel().events(); }
    [[nodiscard]] const warpwright::AgentEvent &last() const;
    [[nodiscard]] warpwright::MessageList &list() const;
    /// The agent's bash, as it began.
    [[nodiscard]] static warpwright::ToolCall bash(const QString &id);

    std::shared_ptr<ToldAgent> model;
};

/// WARPWRIGHT_PICTURES=DIR keeps the window as it stands, at 1280x720, light and dark; `isFolded`: with its
/// docks as that width folds them, else all of them open.
void takePictures(const WindowWorld &window, const char *name, bool isFolded = false);
