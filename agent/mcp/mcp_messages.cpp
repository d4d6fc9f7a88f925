// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/mcp_messages.h"

namespace warpwright {
namespace {

constexpr int listLifeMs = 3'600'000;

const Json &memberOf(const Json &object, const char *key) {
    static const Json none;
    if (!object.is_object())
        return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

Json serverInfo(const QString &programVersion) {
    return Json{{"name", "warpwright"}, {"title", "Warpwright"}, {"version", toJson(programVersion)}};
}

/// What a client may keep of an answer that says the same to everybody.
void makeLasting(Json &result) {
    result["resultType"] = "complete";
    result["ttlMs"] = listLifeMs;
    result["cacheScope"] = "public";
}

Json toolToJson(const ToolSpec &spec) {
    return Json{{"name", toJson(spec.name)},
                {"title", toJson(spec.title)},
                {"description", toJson(spec.description)},
                {"inputSchema", spec.parameters},
                {"annotations",
                 {{"title", toJson(spec.title)},
                  {"readOnlyHint", spec.isReadOnly},
                  {"destructiveHint", spec.isDestructive},
                  {"idempotentHint", spec.isIdempotent},
                  {"openWorldHint", false}}}};
}

} // namespace

const QStringList &handshakeVersions() {
    static const QStringList versions{QStringLiteral("2025-11-25"), QStringLiteral("2025-06-18"),
                                      QStringLiteral("2025-03-26"), QStringLiteral("2024-11-05")};
    return versions;
}

QString mcpClientName(const Json &clientInfo) {
    constexpr qsizetype longest = 80; // it is a word in a list
    return QStringLiteral("%1 %2")
        .arg(stringIn(clientInfo, "name"), stringIn(clientInfo, "version"))
        .simplified()
        .left(longest);
}

McpEnvelope envelopeOf(const Json &params) {
    McpEnvelope envelope;
    const Json &meta = memberOf(params, "_meta");
    envelope.version = stringIn(meta, "io.modelcontextprotocol/protocolVersion");
    envelope.client = mcpClientName(memberOf(meta, "io.modelcontextprotocol/clientInfo"));
    const Json &token = memberOf(meta, "progressToken");
    if (token.is_string() || token.is_number_integer())
        envelope.progressToken = token;
    return envelope;
}

Json discoverResult(const QString &programVersion, const QString &instructions) {
    Json result{{"supportedVersions", Json::array({statelessVersion})},
                {"capabilities", {{"tools", Json::object()}}},
                {"_meta", {{"io.modelcontextprotocol/serverInfo", serverInfo(programVersion)}}},
                {"instructions", toJson(instructions)}};
    makeLasting(result);
    return result;
}

Json initializeResult(const QString &asked, const QString &programVersion, const QString &instructions) {
    const QString version = handshakeVersions().contains(asked) ? asked : handshakeVersions().front();
    return Json{{"protocolVersion", toJson(version)},
                {"capabilities", {{"tools", {{"listChanged", false}}}}},
                {"serverInfo", serverInfo(programVersion)},
                {"instructions", toJson(instructions)}};
}

Json toolListResult(const std::vector<ToolSpec> &specs, McpEra era) {
    Json result{{"tools", Json::array()}};
    for (const ToolSpec &spec : specs)
        result["tools"].push_back(toolToJson(spec));
    if (era == McpEra::Stateless)
        makeLasting(result);
    return result;
}

Json toolCallResult(const ToolAnswer &answer, McpEra era) {
    Json result{{"content", Json::array({{{"type", "text"}, {"text", toJson(answer.text)}}})},
                {"isError", answer.outcome != ToolAnswer::Outcome::Ok}};
    // Clients with a handshake take an object and nothing else.
    if (answer.structured.is_object())
        result["structuredContent"] = answer.structured;
    if (era == McpEra::Stateless)
        result["resultType"] = "complete";
    return result;
}

Json progressParams(const Json &token, const QString &text, int index, int count) {
    Json params{{"progressToken", token}, {"progress", index}, {"message", toJson(text)}};
    if (count > 0)
        params["total"] = count;
    return params;
}

} // namespace warpwright
