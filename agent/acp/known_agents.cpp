// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/known_agents.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace warpwright {
namespace {

KnownAgent agent(const char *name, const char *title, const char *command, const QStringList &arguments,
                 const char *install) {
    return {QLatin1String(name), QLatin1String(title), QLatin1String(command), arguments,
            QLatin1String(install)};
}

} // namespace

// Commands and packages as their makers' pages had them in the autumn of 2026.
const std::vector<KnownAgent> &knownAgents() {
    static const QString acp = QStringLiteral("acp");
    static const QString flag = QStringLiteral("--acp");
    static const std::vector<KnownAgent> agents{
        agent("claude-code", "Claude Code", "claude-agent-acp", {},
              "npm install -g @agentclientprotocol/claude-agent-acp"),
        agent("codex", "Codex", "codex-acp", {}, "npm install -g @agentclientprotocol/codex-acp"),
        agent("copilot", "GitHub Copilot", "copilot", {flag, QStringLiteral("--stdio")},
              "npm install -g @github/copilot"),
        agent("gemini", "Gemini CLI", "gemini", {flag}, "npm install -g @google/gemini-cli"),
        agent("goose", "Goose", "goose", {acp},
              "curl -fsSL https://github.com/block/goose/releases/download/stable/download_cli.sh | bash"),
        agent("kimi", "Kimi Code", "kimi", {acp},
              "curl -fsSL https://code.kimi.com/kimi-code/install.sh | bash"),
        agent("opencode", "OpenCode", "opencode", {acp}, "npm install -g opencode-ai"),
        agent("qwen", "Qwen Code", "qwen", {flag}, "npm install -g @qwen-code/qwen-code"),
        agent("vibe", "Mistral Vibe", "vibe-acp", {}, "uv tool install mistral-vibe"),
    };
    return agents;
}

const KnownAgent *knownAgent(const QString &name) {
    const auto &agents = knownAgents();
    const auto found = std::find_if(agents.begin(), agents.end(),
                                    [&name](const KnownAgent &one) { return one.name == name; });
    return found == agents.end() ? nullptr : &*found;
}

QString installCommandOf(const QString &command) {
    for (const KnownAgent &one : knownAgents())
        if (one.command == command)
            return one.install;
    return {};
}

QString programOf(const AcpProfile &profile) {
    const QString path = profile.environment.value(QStringLiteral("PATH"));
    return QStandardPaths::findExecutable(profile.command, path.split(QLatin1Char(':'), Qt::SkipEmptyParts));
}

} // namespace warpwright
