// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/mcp_door.h"

#include <QLocalServer>
#include <QLocalSocket>

namespace warpwright {

// A path for a socket has a hundred characters at most: it does not lie in a folder of ours.
McpDoor::McpDoor(McpTools &tools, QString programVersion, QObject *parent)
    : QObject(parent),
      m_tools(tools),
      m_version(std::move(programVersion)),
      m_folder(QStringLiteral("/tmp/warpwright-tools-XXXXXX")),
      m_server(new QLocalServer(this)) {
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server, &QLocalServer::newConnection, this, &McpDoor::welcome);
}

McpDoor::~McpDoor() = default;

QString McpDoor::path() const {
    return m_server->fullServerName();
}

Result<void> McpDoor::open() {
    if (m_folder.isValid() && m_server->listen(m_folder.path() + QStringLiteral("/door")))
        return Result<void>::ok();
    return Result<void>::error(
        QStringLiteral("Cannot offer the tools to the agent at \"%1\": %2. Make room in /tmp.")
            .arg(m_folder.path(), m_folder.isValid() ? m_server->errorString() : m_folder.errorString()));
}

void McpDoor::welcome() {
    while (QLocalSocket *socket = m_server->nextPendingConnection()) {
        // The server goes with its socket, and with it what its client had asked for.
        auto *server = new McpServer(m_tools, m_version, socket);
        connect(server, &McpServer::wrote, socket, [socket](const QByteArray &line) { socket->write(line); });
        connect(server, &McpServer::broken, socket, &QLocalSocket::abort);
        connect(socket, &QLocalSocket::readyRead, server,
                [socket, server] { server->take(socket->readAll()); });
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    }
}

} // namespace warpwright
