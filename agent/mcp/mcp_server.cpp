// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/mcp_server.h"

#include <QUuid>

#include <algorithm>

namespace warpwright {

McpServer::McpServer(McpTools &tools, QString programVersion, QObject *parent)
    : QObject(parent),
      m_tools(tools),
      m_version(std::move(programVersion)),
      m_prefix(QUuid::createUuid().toString(QUuid::Id128)) {
    connect(&m_rpc, &JsonRpc::wrote, this, &McpServer::wrote);
    connect(&m_rpc, &JsonRpc::broken, this, &McpServer::broken);
    connect(&m_rpc, &JsonRpc::strayed, this, [this](const QByteArray &) {
        m_rpc.refuse(Json(), JsonRpc::parseError, QStringLiteral("That is no message of JSON-RPC 2.0."));
    });
    connect(&m_rpc, &JsonRpc::requested, this, &McpServer::answer);
    connect(&m_rpc, &JsonRpc::notified, this, [this](const QString &method, const Json &params) {
        if (method == QLatin1String("notifications/cancelled") && params.is_object() &&
            params.contains("requestId"))
            cancel(params["requestId"]);
    });
    connect(&m_tools, &McpTools::progress, this,
            [this](const QString &id, const QString &text, int index, int count) {
                const auto found = m_calls.find(id);
                if (found == m_calls.end() || found->second.progressToken.is_null())
                    return;
                Call &call = found->second;
                call.progressTold = std::max(index, call.progressTold + 1);
                // A step of its own count begins at one again: the whole then is not known.
                m_rpc.notify(QStringLiteral("notifications/progress"),
                             progressParams(call.progressToken, text, call.progressTold,
                                            call.progressTold == index ? count : 0));
            });
    connect(&m_tools, &McpTools::ended, this, [this](const QString &id, const ToolAnswer &answer) {
        const auto found = m_calls.find(id);
        if (found == m_calls.end())
            return;
        const Call call = found->second;
        m_calls.erase(found);
        if (call.isCancelled && answer.outcome == ToolAnswer::Outcome::Cancelled)
            return;
        m_rpc.answer(call.request, toolCallResult(answer, call.era));
    });
}

McpServer::~McpServer() {
    m_rpc.close();
    for (const auto &[id, call] : std::exchange(m_calls, {}))
        m_tools.cancel(id);
}

void McpServer::answer(const Json &id, const QString &method, const Json &params) {
    const McpEnvelope envelope = envelopeOf(params);
    if (!envelope.version.isEmpty() && envelope.version != QLatin1String(statelessVersion))
        return m_rpc.refuse(
            id, unsupportedVersion,
            QStringLiteral("Version %1 of the protocol is not spoken here.").arg(envelope.version),
            Json{{"supported", Json::array({statelessVersion})}, {"requested", toJson(envelope.version)}});
    const McpEra era = envelope.version.isEmpty() ? McpEra::Handshake : McpEra::Stateless;
    if (method == QLatin1String("tools/call"))
        return callTool(id, params, envelope);
    if (method == QLatin1String("tools/list"))
        return m_rpc.answer(id, toolListResult(m_tools.specs(), era));
    if (method == QLatin1String("server/discover"))
        return m_rpc.answer(id, discoverResult(m_version, m_tools.instructions()));
    if (method == QLatin1String("initialize")) {
        const auto info = params.is_object() ? params.find("clientInfo") : params.end();
        m_client = params.is_object() && info != params.end() ? mcpClientName(*info) : QString();
        return m_rpc.answer(
            id, initializeResult(stringIn(params, "protocolVersion"), m_version, m_tools.instructions()));
    }
    if (method == QLatin1String("ping"))
        return m_rpc.answer(id, Json::object());
    m_rpc.refuse(id, JsonRpc::methodNotFound, QStringLiteral("There is no method \"%1\".").arg(method));
}

void McpServer::callTool(const Json &id, const Json &params, const McpEnvelope &envelope) {
    const QString name = stringIn(params, "name");
    const auto &specs = m_tools.specs();
    if (std::none_of(specs.begin(), specs.end(), [&name](const ToolSpec &spec) { return spec.name == name; }))
        return m_rpc.refuse(id, JsonRpc::invalidParams, QStringLiteral("There is no tool \"%1\".").arg(name));
    const Json arguments = params.value("arguments", Json::object());
    if (!arguments.is_object())
        return m_rpc.refuse(id, JsonRpc::invalidParams, QStringLiteral("\"arguments\" has to be an object."));
    const QString call = QStringLiteral("%1-%2").arg(m_prefix).arg(++m_lastCall);
    m_calls[call] = {id, envelope.version.isEmpty() ? McpEra::Handshake : McpEra::Stateless,
                     envelope.progressToken, -1, false};
    m_tools.call(call, name, arguments, envelope.client.isEmpty() ? m_client : envelope.client);
}

void McpServer::cancel(const Json &request) {
    const auto found = std::find_if(m_calls.begin(), m_calls.end(),
                                    [&request](const auto &call) { return call.second.request == request; });
    if (found == m_calls.end())
        return;
    found->second.isCancelled = true;
    m_tools.cancel(found->first);
}

} // namespace warpwright
