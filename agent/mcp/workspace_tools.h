// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/mcp/mcp_tools.h"
#include "agent/mcp/served_workspace.h"

#include <map>
#include <memory>

namespace warpwright {

/// Our tools for clients of other programs: all workspaces below one folder, each tool with the workspace
/// that it is for.
class WorkspaceTools : public McpTools {
    Q_OBJECT
public:
    /// `root`: absolute, without links. `request`: with which is measured; all but the path.
    WorkspaceTools(QString root, EvaluationRequest request, QObject *parent = nullptr);
    ~WorkspaceTools() override;

    [[nodiscard]] const std::vector<ToolSpec> &specs() const override;
    [[nodiscard]] QString instructions() const override;
    void call(const QString &id, const QString &name, const Json &arguments, const QString &client) override;
    void cancel(const QString &id) override;

private:
    void answerLater(const QString &id, const ToolAnswer &answer);
    void listWorkspaces(const QString &id);
    void callIn(const QString &id, const Result<Workspace> &workspace, const QString &name,
                const Json &arguments, const QString &client);

    QString m_root;
    EvaluationRequest m_request;
    std::map<QString, std::unique_ptr<ServedWorkspace>> m_served; ///< by folder
    std::map<QString, QString> m_calls;                           ///< that have not ended: the folder of each
};

} // namespace warpwright
