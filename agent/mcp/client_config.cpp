// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/client_config.h"

#include "toolchain/base/json.h"

// The library that Debian builds of it throws; the header alone need not.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <QRegularExpression>

namespace warpwright {
namespace {

constexpr int toolLimitSeconds = 1800; // a certified profile takes minutes
const QString serverName = QStringLiteral("warpwright");

OrderedJson jsonEntry(McpClientKind client, const McpServerEntry &entry) {
    OrderedJson json = OrderedJson::object();
    if (client == McpClientKind::ClaudeCode)
        json["type"] = "stdio";
    json["command"] = toJson(entry.program);
    json["args"] = stringsToJson<OrderedJson>(entry.arguments);
    json["env"] = OrderedJson::object();
    for (const auto &[name, value] : entry.environment)
        json["env"][name.toStdString()] = toJson(value);
    if (client == McpClientKind::Gemini)
        json["timeout"] = toolLimitSeconds * 1000;
    return json;
}

QString tomlText(const QString &text) {
    return QString::fromUtf8(
        dumpJson(Json(toJson(text)))); // a basic string of TOML is written as one of JSON
}

QString tomlEntry(const McpServerEntry &entry) {
    QStringList words;
    for (const QString &word : entry.arguments)
        words << tomlText(word);
    QStringList variables;
    for (const auto &[name, value] : entry.environment)
        variables << QStringLiteral("%1 = %2").arg(name, tomlText(value));
    const QString environment =
        variables.isEmpty() ? QString()
                            : QStringLiteral("env = { %1 }\n").arg(variables.join(QStringLiteral(", ")));
    return QStringLiteral("[mcp_servers.%1]\ncommand = %2\nargs = [%3]\n%4tool_timeout_sec = %5\n")
        .arg(serverName, tomlText(entry.program), words.join(QStringLiteral(", ")), environment,
             QString::number(toolLimitSeconds));
}

/// What its parser says; empty: nothing.
QString tomlProblem(const QByteArray &text) {
    const toml::parse_result parsed =
        toml::parse(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    if (parsed)
        return {};
    const toml::source_position at = parsed.error().source().begin;
    return QStringLiteral("it is no TOML (line %1: %2)")
        .arg(at.line)
        .arg(QString::fromStdString(std::string(parsed.error().description())));
}

Result<QByteArray> withServerInToml(const QByteArray &before, const McpServerEntry &entry) {
    using Answer = Result<QByteArray>;
    if (const QString problem = tomlProblem(before); !problem.isEmpty())
        return Answer::error(problem);
    // Its own lines go, comments and order of all others stay.
    static const QRegularExpression ours(
        QStringLiteral("^\\s*\\[\\s*mcp_servers\\s*\\.\\s*\"?warpwright\"?\\s*[\\].]"));
    static const QRegularExpression header(QStringLiteral("^\\s*\\["));
    QString kept;
    bool isOurs = false;
    for (const QString &line : QString::fromUtf8(before).split(QLatin1Char('\n'))) {
        if (ours.match(line).hasMatch())
            isOurs = true;
        else if (header.match(line).hasMatch())
            isOurs = false;
        if (!isOurs)
            kept += line + QLatin1Char('\n');
    }
    kept = kept.trimmed();
    const QByteArray after =
        ((kept.isEmpty() ? QString() : kept + QStringLiteral("\n\n")) + tomlEntry(entry)).toUtf8();
    if (const QString problem = tomlProblem(after); !problem.isEmpty())
        return Answer::error(
            QStringLiteral("it names this server in a way that is not understood; with ours %1")
                .arg(problem));
    return Answer::ok(after);
}

Result<QByteArray> withServerInJson(McpClientKind client, const QByteArray &before,
                                    const McpServerEntry &entry) {
    using Answer = Result<QByteArray>;
    OrderedJson json = OrderedJson::object();
    if (!before.trimmed().isEmpty()) {
        const Result<OrderedJson> parsed = parseJson<OrderedJson>(before);
        if (!parsed.hasValue())
            return Answer::error(QStringLiteral("it is no JSON (%1)").arg(parsed.message()));
        json = parsed.value();
    }
    if (!json.is_object())
        return Answer::error(QStringLiteral("it holds no JSON object"));
    OrderedJson &servers = json["mcpServers"];
    if (servers.is_null())
        servers = OrderedJson::object();
    if (!servers.is_object())
        return Answer::error(QStringLiteral("its \"mcpServers\" is no object"));
    const OrderedJson wanted = jsonEntry(client, entry);
    if (const auto there = servers.find(serverName.toStdString()); there != servers.end() && *there == wanted)
        return Answer::ok(before);
    servers[serverName.toStdString()] = wanted;
    return Answer::ok(dumpJson(json, 2) + '\n');
}

} // namespace

std::optional<McpClientKind> mcpClientFromName(const QString &name) {
    if (name == QLatin1String("claude-code"))
        return McpClientKind::ClaudeCode;
    if (name == QLatin1String("codex"))
        return McpClientKind::Codex;
    if (name == QLatin1String("gemini"))
        return McpClientKind::Gemini;
    if (name == QLatin1String("cursor"))
        return McpClientKind::Cursor;
    return std::nullopt;
}

QString mcpClientFile(McpClientKind client, const QString &home, const QString &root) {
    switch (client) {
    case McpClientKind::ClaudeCode:
        return root + QStringLiteral("/.mcp.json");
    case McpClientKind::Codex:
        return home + QStringLiteral("/.codex/config.toml");
    case McpClientKind::Gemini:
        return home + QStringLiteral("/.gemini/settings.json");
    case McpClientKind::Cursor:
        break;
    }
    return home + QStringLiteral("/.cursor/mcp.json");
}

QString mcpClientText(McpClientKind client, const McpServerEntry &entry) {
    if (client == McpClientKind::Codex)
        return tomlEntry(entry);
    const OrderedJson json{{"mcpServers", {{serverName.toStdString(), jsonEntry(client, entry)}}}};
    return QString::fromUtf8(dumpJson(json, 2)) + QLatin1Char('\n');
}

Result<QByteArray> withMcpServer(McpClientKind client, const QByteArray &before,
                                 const McpServerEntry &entry) {
    return client == McpClientKind::Codex ? withServerInToml(before, entry)
                                          : withServerInJson(client, before, entry);
}

} // namespace warpwright
