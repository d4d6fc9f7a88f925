// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/mcp/client_config.h"

#include <QString>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright mcp` was asked for, besides device and interpreter.
struct McpLine {
    QString root = QStringLiteral(".");  ///< below it are the workspaces that are served
    QString through;                     ///< a socket to carry lines to; empty: it serves by itself
    std::optional<McpClientKind> client; ///< whose configuration is wanted
    bool writes = false;                 ///< into the client's file
    bool isSure = false;                 ///< without asking

    bool operator==(const McpLine &) const = default;
};

/// The words of that command as CLI11 fills them in; they outlive the parsing.
class McpWords {
public:
    CLI::App *addTo(CLI::App &app, std::string &device, std::string &python);
    /// `why`: set where the words cannot be understood.
    [[nodiscard]] McpLine line(QString &why) const;

private:
    std::string m_root = ".";
    std::string m_through;
    std::string m_client;
    bool m_writes = false;
    bool m_isSure = false;
};

} // namespace warpwright
