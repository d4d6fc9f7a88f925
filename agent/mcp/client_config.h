// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>

/// What other programs' configuration has to say so that they start our tool server.
namespace warpwright {

enum class McpClientKind { ClaudeCode, Codex, Gemini, Cursor };
[[nodiscard]] std::optional<McpClientKind>
mcpClientFromName(const QString &name); ///< "claude-code", "codex" …

struct McpServerEntry {
    QString program; ///< absolute
    QStringList arguments;
    std::map<QString, QString> environment = {}; ///< that it needs; clients pass on little of their own
};

/// To paste, and where it belongs; for people.
[[nodiscard]] QString mcpClientText(McpClientKind client, const McpServerEntry &entry);
/// The client's file: that of the folder `root` for Claude Code, the person's own for the others.
[[nodiscard]] QString mcpClientFile(McpClientKind client, const QString &home, const QString &root);
/// `before` (empty: there is no file) with our server in it; all else as it was. An error, one part of a
/// sentence, where `before` is broken.
[[nodiscard]] Result<QByteArray> withMcpServer(McpClientKind client, const QByteArray &before,
                                               const McpServerEntry &entry);

} // namespace warpwright
