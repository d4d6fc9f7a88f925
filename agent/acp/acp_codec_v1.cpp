// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_codec_v1.h"

#include "toolchain/base/ink.h"

#include <csignal>
#include <cstring>

namespace warpwright {
namespace {

const Json &memberOf(const Json &object, const char *key) {
    static const Json none;
    if (!object.is_object())
        return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

std::optional<qint64> countIn(const Json &object, const char *key) {
    const Json &value = memberOf(object, key);
    return value.is_number_integer() && value.get<qint64>() >= 0 ? std::optional(value.get<qint64>())
                                                                 : std::nullopt;
}

bool isTrue(const Json &object, const char *key) {
    const Json &value = memberOf(object, key);
    return value.is_boolean() && value.get<bool>();
}

template <typename T>
Result<T> lacks(const char *what) {
    return Result<T>::error(
        QStringLiteral("the field \"%1\" is missing, or of another kind").arg(QLatin1String(what)));
}

/// Names and titles, as people read them and decide by them.
QString nameIn(const Json &object, const char *key, const QString &otherwise = {}) {
    return printableLine(stringIn(object, key, otherwise));
}

QString textIn(const Json &object, const char *key) {
    return printable(stringIn(object, key));
}

/// All texts of what a tool is given.
Json printableJson(const Json &json) {
    if (json.is_string())
        return toJson(printable(fromJson(json.get<std::string>())));
    if (!json.is_structured())
        return json;
    Json clean = json;
    for (Json &part : clean)
        part = printableJson(part);
    return clean;
}

/// A content block, as people read it.
QString blockText(const Json &block) {
    const QString type = stringIn(block, "type");
    if (type == QLatin1String("text"))
        return textIn(block, "text");
    if (type == QLatin1String("resource_link"))
        return nameIn(block, "uri");
    if (type == QLatin1String("resource"))
        return textIn(memberOf(block, "resource"), "text");
    return type.isEmpty() ? QString() : QStringLiteral("[%1]").arg(printableLine(type));
}

/// What a tool shows: its texts; of a change only which file, for the change itself is seen in the proposal.
std::optional<QString> contentText(const Json &content) {
    if (!content.is_array())
        return std::nullopt;
    QStringList parts;
    for (const Json &entry : content) {
        const QString type = stringIn(entry, "type");
        if (type == QLatin1String("content"))
            parts << blockText(memberOf(entry, "content"));
        else if (type == QLatin1String("diff"))
            parts << QStringLiteral("changes %1").arg(nameIn(entry, "path"));
        else if (type == QLatin1String("terminal"))
            parts << QStringLiteral("runs in terminal %1").arg(nameIn(entry, "terminalId"));
    }
    return parts.join(QLatin1Char('\n'));
}

AcpToolState toolStateFrom(const Json &json) {
    AcpToolState state;
    state.id = stringIn(json, "toolCallId");
    state.title = nameIn(json, "title");
    state.kind = nameIn(json, "kind");
    state.status = stringIn(json, "status");
    state.text = contentText(memberOf(json, "content"));
    state.input = printableJson(memberOf(json, "rawInput"));
    if (const Json &places = memberOf(json, "locations"); places.is_array())
        for (const Json &place : places)
            if (const QString path = nameIn(place, "path"); !path.isEmpty())
                state.paths << path;
    return state;
}

std::vector<PlanItem> planFrom(const Json &entries) {
    std::vector<PlanItem> items;
    if (!entries.is_array())
        return items;
    for (const Json &entry : entries) {
        const QString status = stringIn(entry, "status");
        items.push_back(
            {nameIn(entry, "content"), status == QLatin1String("completed")     ? QStringLiteral("done")
                                       : status == QLatin1String("in_progress") ? QStringLiteral("working")
                                                                                : QStringLiteral("waiting")});
    }
    return items;
}

/// A way that is a command: «terminal», or what came before it in «_meta».
AcpAuthMethod authMethodFrom(const Json &json) {
    const QString id = stringIn(json, "id");
    AcpAuthMethod method{id, nameIn(json, "name", id), textIn(json, "description")};
    const Json &older = memberOf(memberOf(json, "_meta"), "terminal-auth");
    method.isTerminal = stringIn(json, "type") == QLatin1String("terminal") || older.is_object();
    const Json &login = older.is_object() ? older : json;
    if (method.isTerminal) {
        if (const QString command = stringIn(login, "command"); older.is_object() && !command.isEmpty())
            method.command = QStringList{printableLine(command)};
        method.arguments = stringsIn(printableJson(memberOf(login, "args")));
        if (const Json &variables = memberOf(login, "env"); variables.is_object())
            for (const auto &[name, value] : variables.items())
                if (value.is_string())
                    method.environment
                        << fromJson(name) + QLatin1Char('=') + fromJson(value.get<std::string>());
    }
    if (const Json &variables = memberOf(json, "vars"); variables.is_array())
        for (const Json &variable : variables)
            if (const QString name = nameIn(variable, "name"); !name.isEmpty())
                method.variables << name;
    return method;
}

Json toolServers(const AcpToolServer &tools) {
    if (tools.command.isEmpty())
        return Json::array();
    return Json::array({{{"name", toJson(tools.name)},
                         {"command", toJson(tools.command)},
                         {"args", stringsToJson<Json>(tools.arguments)},
                         {"env", Json::array()}}});
}

} // namespace

AcpFacts AcpCodecV1::facts(const Json &greetingAnswer) const {
    AcpFacts facts;
    const Json &info = memberOf(greetingAnswer, "agentInfo");
    facts.name = nameIn(info, "title", stringIn(info, "name"));
    facts.version = nameIn(info, "version");
    facts.loadsSessions = isTrue(memberOf(greetingAnswer, "agentCapabilities"), "loadSession");
    if (const Json &methods = memberOf(greetingAnswer, "authMethods"); methods.is_array())
        for (const Json &method : methods)
            if (!stringIn(method, "id").isEmpty())
                facts.authMethods.push_back(authMethodFrom(method));
    return facts;
}

Json AcpCodecV1::newSession(const QString &folder, const AcpToolServer &tools) const {
    return Json{{"cwd", toJson(folder)}, {"mcpServers", toolServers(tools)}};
}

Json AcpCodecV1::oldSession(const QString &session, const QString &folder, const AcpToolServer &tools) const {
    return Json{{"sessionId", toJson(session)}, {"cwd", toJson(folder)}, {"mcpServers", toolServers(tools)}};
}

Result<QString> AcpCodecV1::sessionIn(const Json &answer) const {
    const QString session = stringIn(answer, "sessionId");
    return session.isEmpty() ? lacks<QString>("sessionId") : Result<QString>::ok(session);
}

Json AcpCodecV1::prompt(const QString &session, const QString &text) const {
    return Json{{"sessionId", toJson(session)},
                {"prompt", Json::array({{{"type", "text"}, {"text", toJson(text)}}})}};
}

AcpTurnEnd AcpCodecV1::turnEnd(const Json &answer) const {
    AcpTurnEnd end;
    end.word = nameIn(answer, "stopReason");
    end.stop = end.word == QLatin1String("end_turn")            ? AcpStop::EndTurn
               : end.word == QLatin1String("max_tokens")        ? AcpStop::MaxTokens
               : end.word == QLatin1String("max_turn_requests") ? AcpStop::MaxRequests
               : end.word == QLatin1String("refusal")           ? AcpStop::Refusal
               : end.word == QLatin1String("cancelled")         ? AcpStop::Cancelled
                                                                : AcpStop::Other;
    const Json &usage = memberOf(answer, "usage");
    end.tokensIn = countIn(usage, "inputTokens");
    end.tokensOut = countIn(usage, "outputTokens");
    end.tokensCached = countIn(usage, "cachedReadTokens");
    // They count what was read from a cache beside the rest of the input; we count all of the prompt.
    if (end.tokensIn)
        *end.tokensIn += end.tokensCached.value_or(0) + countIn(usage, "cachedWriteTokens").value_or(0);
    return end;
}

AcpUpdate AcpCodecV1::update(const Json &params) const {
    AcpUpdate update;
    const Json &said = memberOf(params, "update");
    const QString kind = stringIn(said, "sessionUpdate");
    update.messageId = stringIn(said, "messageId");
    if (kind == QLatin1String("agent_message_chunk") || kind == QLatin1String("agent_thought_chunk")) {
        update.kind = kind == QLatin1String("agent_message_chunk") ? AcpUpdate::Kind::Message
                                                                   : AcpUpdate::Kind::Thought;
        update.text = blockText(memberOf(said, "content"));
    } else if (kind == QLatin1String("tool_call") || kind == QLatin1String("tool_call_update")) {
        update.tool = toolStateFrom(said);
        update.kind = update.tool.id.isEmpty() ? AcpUpdate::Kind::Other : AcpUpdate::Kind::ToolCall;
        if (kind == QLatin1String("tool_call") && update.tool.status.isEmpty())
            update.tool.status = QStringLiteral("pending");
    } else if (kind == QLatin1String("plan")) {
        update.kind = AcpUpdate::Kind::Plan;
        update.plan = planFrom(memberOf(said, "entries"));
    } else if (kind == QLatin1String("usage_update")) {
        update.kind = AcpUpdate::Kind::Usage;
        update.contextTokens = countIn(said, "used");
        update.contextLimit = countIn(said, "size");
        const Json &cost = memberOf(said, "cost");
        if (const Json &amount = memberOf(cost, "amount"); amount.is_number())
            update.cost = amount.get<double>();
        update.currency = stringIn(cost, "currency");
    }
    return update;
}

Result<AcpPermission> AcpCodecV1::permission(const Json &params) const {
    AcpPermission permission;
    permission.tool = toolStateFrom(memberOf(params, "toolCall"));
    const Json &options = memberOf(params, "options");
    if (options.is_array() && options.empty())
        return Result<AcpPermission>::error(
            QStringLiteral("the field \"options\" is empty: there is nothing to choose"));
    if (options.is_array())
        for (const Json &option : options)
            if (const QString id = stringIn(option, "optionId"); !id.isEmpty())
                permission.options.push_back({id, nameIn(option, "name", id), stringIn(option, "kind")});
    return permission.options.empty() ? lacks<AcpPermission>("options")
                                      : Result<AcpPermission>::ok(permission);
}

Json AcpCodecV1::permissionAnswer(const QString &option) const {
    return option.isEmpty() ? Json{{"outcome", {{"outcome", "cancelled"}}}}
                            : Json{{"outcome", {{"outcome", "selected"}, {"optionId", toJson(option)}}}};
}

Result<AcpReadFile> AcpCodecV1::readFile(const Json &params) const {
    AcpReadFile file;
    file.path = stringIn(params, "path");
    if (file.path.isEmpty())
        return lacks<AcpReadFile>("path");
    file.line = static_cast<int>(std::clamp<qint64>(countIn(params, "line").value_or(1), 1, INT_MAX));
    file.lines = static_cast<int>(std::clamp<qint64>(countIn(params, "limit").value_or(-1), -1, INT_MAX));
    return Result<AcpReadFile>::ok(file);
}

Result<AcpWriteFile> AcpCodecV1::writeFile(const Json &params) const {
    const QString path = stringIn(params, "path");
    if (path.isEmpty())
        return lacks<AcpWriteFile>("path");
    if (!memberOf(params, "content").is_string())
        return lacks<AcpWriteFile>("content");
    return Result<AcpWriteFile>::ok({path, stringIn(params, "content")});
}

Result<AcpCommand> AcpCodecV1::command(const Json &params) const {
    AcpCommand command;
    command.program = stringIn(params, "command");
    if (command.program.isEmpty())
        return lacks<AcpCommand>("command");
    command.arguments = stringsIn(memberOf(params, "args"));
    command.folder = stringIn(params, "cwd");
    if (const Json &variables = memberOf(params, "env"); variables.is_array())
        for (const Json &variable : variables)
            command.environment.emplace_back(stringIn(variable, "name"), stringIn(variable, "value"));
    if (const auto bytes = countIn(params, "outputByteLimit"))
        command.outputBytes = std::min(*bytes, command.outputBytes);
    return Result<AcpCommand>::ok(command);
}

Json AcpCodecV1::commandEnd(const AcpCommandState &state) const {
    if (state.signal == 0)
        return Json{{"exitCode", state.exitCode}, {"signal", nullptr}};
    const char *name = sigabbrev_np(state.signal);
    return Json{{"exitCode", nullptr},
                {"signal", name ? std::string("SIG") + name : std::to_string(state.signal)}};
}

Json AcpCodecV1::commandOutput(const AcpCommandState &state) const {
    return Json{{"output", toJson(state.output)},
                {"truncated", state.isTruncated},
                {"exitStatus", state.hasEnded ? commandEnd(state) : Json()}};
}

} // namespace warpwright
