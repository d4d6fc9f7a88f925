// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/mcp/mcp_tools.h"
#include "agent/mcp/tool_queue.h"

#include <optional>

namespace warpwright {

/// The tools of one run for the external agent that works in it: its one work folder, the run's own queue of
/// measurements. What is submitted is kept until its turn ends.
class RunTools : public McpTools {
    Q_OBJECT
public:
    /// `measurer` outlives it.
    RunTools(ToolPlace place, Measurer &measurer, QObject *parent = nullptr);

    /// Begins a turn: the texts are laid out, nothing is submitted. Blocks for the writing of a few small
    /// files.
    [[nodiscard]] Result<void> begin(const AgentRequest &request, const CandidateTexts &texts);
    /// What `submit` was last called with; empty: it was not.
    [[nodiscard]] const std::optional<ToolSubmission> &submission() const { return m_submission; }
    void cancelAll() { m_queue.cancelAll(); }

    [[nodiscard]] const std::vector<ToolSpec> &specs() const override;
    [[nodiscard]] QString instructions() const override;
    void call(const QString &id, const QString &name, const Json &arguments, const QString &client) override;
    void cancel(const QString &id) override { m_queue.cancel(id); }

signals:
    void planChanged(const std::vector<warpwright::PlanItem> &items);

private:
    Toolbox m_toolbox;
    ToolQueue m_queue;
    std::optional<ToolSubmission> m_submission;
};

} // namespace warpwright
