// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/chat.h"

#include <QRegularExpression>

#include <array>

namespace warpwright {
namespace {

constexpr std::array roles{
    std::pair{ChatMessage::Role::System, "system"},
    std::pair{ChatMessage::Role::Person, "person"},
    std::pair{ChatMessage::Role::Model, "model"},
    std::pair{ChatMessage::Role::Results, "results"},
};

Json bytesToJson(const QByteArray &bytes) {
    const QString text = QString::fromUtf8(bytes);
    if (text.toUtf8() == bytes)
        return Json(toJson(text));
    return Json{{"base64", bytes.toBase64().toStdString()}};
}

QByteArray bytesFromJson(const Json &object, const char *key) {
    const auto found = object.find(key);
    if (found == object.end())
        return {};
    if (found->is_object())
        return QByteArray::fromBase64(stringIn(*found, "base64").toLatin1());
    return stringIn(object, key).toUtf8();
}

Result<ChatMessage> noMessage(const QString &why) {
    return Result<ChatMessage>::error(
        QStringLiteral("Cannot read a message of the conversation: %1.").arg(why));
}

/// The entries of an array that has to hold objects; nullptr where it does not. Absent: an empty one.
const Json *objectsIn(const Json &json, const char *key) {
    static const Json none = Json::array();
    const auto found = json.find(key);
    if (found == json.end())
        return &none;
    if (!found->is_array())
        return nullptr;
    for (const Json &entry : *found)
        if (!entry.is_object())
            return nullptr;
    return &*found;
}

constexpr qsizetype mostUnreadable = 400; // bytes: enough to see what was wrong with it

} // namespace

Json sayableArguments(const QByteArray &arguments) {
    const QByteArray text = arguments.trimmed();
    if (text.isEmpty())
        return Json::object();
    Result<Json> read = parseJson(text);
    // Quoted twice, as some servers do: what is inside is what was called.
    if (read.hasValue() && read.value().is_string())
        if (Result<Json> inside = parseJson(QByteArray::fromStdString(read.value().get<std::string>()));
            inside.hasValue())
            read = std::move(inside);
    if (read.hasValue() && read.value().is_object())
        return std::move(read).value();
    return {{"unreadable", toJson(QString::fromUtf8(text.left(mostUnreadable)))}};
}

QByteArray sayableText(const QByteArray &arguments) {
    const Result<Json> read = parseJson(arguments);
    return read.hasValue() && read.value().is_object() ? arguments : dumpJson(sayableArguments(arguments));
}

QString sayableName(const QString &name) {
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9_-]"));
    const QString plain = QString(name).replace(other, QStringLiteral("_")).left(64);
    return plain.isEmpty() ? QStringLiteral("nameless") : plain;
}

QString chatStopName(ChatStop stop) {
    switch (stop) {
    case ChatStop::CalledTools:
        return QStringLiteral("called-tools");
    case ChatStop::TokenLimit:
        return QStringLiteral("token-limit");
    case ChatStop::ContextFull:
        return QStringLiteral("context-full");
    case ChatStop::Refused:
        return QStringLiteral("refused");
    case ChatStop::Finished:
        break;
    }
    return QStringLiteral("finished");
}

Json chatMessageToJson(const ChatMessage &message) {
    Json json;
    for (const auto &[role, name] : roles)
        if (role == message.role)
            json["role"] = name;
    json["text"] = toJson(message.text);
    if (!message.thinking.isEmpty())
        json["thinking"] = toJson(message.thinking);
    for (const ChatCall &call : message.calls)
        json["calls"].push_back({{"id", toJson(call.id)},
                                 {"name", toJson(call.name)},
                                 {"arguments", bytesToJson(call.arguments)}});
    for (const ChatResult &result : message.results)
        json["results"].push_back({{"call", toJson(result.call)},
                                   {"name", toJson(result.name)},
                                   {"text", toJson(result.text)},
                                   {"isError", result.isError}});
    if (!message.state.is_null())
        json["state"] = message.state;
    return json;
}

Result<ChatMessage> chatMessageFromJson(const Json &json) {
    if (!json.is_object())
        return noMessage(QStringLiteral("it is no JSON object"));
    ChatMessage message;
    const QString roleName = stringIn(json, "role");
    bool isRole = false;
    for (const auto &[role, name] : roles) {
        if (roleName != QLatin1String(name))
            continue;
        message.role = role;
        isRole = true;
    }
    if (!isRole)
        return noMessage(QStringLiteral("\"%1\" is no role of ours").arg(roleName));
    message.text = stringIn(json, "text");
    message.thinking = stringIn(json, "thinking");
    const Json *calls = objectsIn(json, "calls");
    const Json *results = objectsIn(json, "results");
    if (calls == nullptr || results == nullptr)
        return noMessage(QStringLiteral("its calls or results are no list of objects"));
    for (const Json &call : *calls)
        message.calls.push_back(
            {stringIn(call, "id"), stringIn(call, "name"), bytesFromJson(call, "arguments")});
    for (const Json &result : *results)
        message.results.push_back({stringIn(result, "call"), stringIn(result, "name"),
                                   stringIn(result, "text"),
                                   result.contains("isError") && result["isError"] == true});
    if (json.contains("state"))
        message.state = json["state"];
    return Result<ChatMessage>::ok(std::move(message));
}

} // namespace warpwright
