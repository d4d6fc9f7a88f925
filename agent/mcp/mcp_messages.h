// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/toolbox.h"
#include "toolchain/base/json.h"

#include <QString>

#include <vector>

/// The messages of the Model Context Protocol that we send, in both of its eras: with a handshake (to
/// 2025-11-25), and without one, where each request says its version (2026-07-28).
namespace warpwright {

enum class McpEra { Handshake, Stateless };

inline constexpr const char *statelessVersion = "2026-07-28";
inline constexpr int unsupportedVersion = -32022;

/// The versions that clients with a handshake still ask for; the newest first.
[[nodiscard]] const QStringList &handshakeVersions();

/// What a request says of itself.
struct McpEnvelope {
    QString version; ///< empty: it is of the era with a handshake
    QString client;
    Json progressToken = Json(); ///< null: it wants no progress
};
[[nodiscard]] McpEnvelope envelopeOf(const Json &params);
/// As the history names it: «claude-code 2.1.0», out of its name and version.
[[nodiscard]] QString mcpClientName(const Json &clientInfo);

[[nodiscard]] Json discoverResult(const QString &programVersion, const QString &instructions);
/// `asked`: the client's version; one that is not known here is answered with our newest.
[[nodiscard]] Json initializeResult(const QString &asked, const QString &programVersion,
                                    const QString &instructions);
[[nodiscard]] Json toolListResult(const std::vector<ToolSpec> &specs, McpEra era);
[[nodiscard]] Json toolCallResult(const ToolAnswer &answer, McpEra era);
[[nodiscard]] Json progressParams(const Json &token, const QString &text, int index, int count);

} // namespace warpwright
