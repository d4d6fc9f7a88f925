// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/mcp/mcp_server.h"

#include <QTemporaryDir>

#include <memory>

class QLocalServer;

namespace warpwright {

/// Where a process outside comes in to our tools: a socket that only this user can open. An agent starts its
/// tool servers by itself, in its own sandbox, where nothing can be measured; `wright mcp --through PATH`
/// carries the lines to here.
class McpDoor : public QObject {
    Q_OBJECT
public:
    /// `tools` outlive it.
    McpDoor(McpTools &tools, QString programVersion, QObject *parent = nullptr);
    ~McpDoor() override;

    /// An error where no socket can be made.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] QString path() const;

private:
    void welcome();

    McpTools &m_tools;
    QString m_version;
    QTemporaryDir m_folder;
    QLocalServer *m_server;
};

} // namespace warpwright
