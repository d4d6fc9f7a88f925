// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_profile.h"

#include <QDir>
#include <QRegularExpression>

namespace warpwright {
namespace {

bool isList(const Json &json) {
    return json.is_array() &&
           std::all_of(json.begin(), json.end(), [](const Json &entry) { return entry.is_string(); });
}

/// "$MY_KEY": the name behind the sign; empty: it is a value.
QString variableIn(const QString &value) {
    static const QRegularExpression form(QStringLiteral("^\\$([A-Za-z_][A-Za-z0-9_]*)$"));
    return form.match(value).captured(1);
}

/// Limits, switches and files are none, whatever they are called.
bool canBeKey(const QString &value) {
    static const QRegularExpression harmless(QStringLiteral("^(\\d{0,9}|true|false|yes|no|/.*)$"),
                                             QRegularExpression::CaseInsensitiveOption);
    return !harmless.match(value).hasMatch();
}

} // namespace

Json acpProfileToJson(const AcpProfile &profile) {
    Json json = profile.unknown;
    json["name"] = toJson(profile.name);
    json["command"] = toJson(profile.command);
    json["arguments"] = stringsToJson<Json>(profile.arguments);
    json["environment"] = Json::object();
    for (auto variable = profile.environment.begin(); variable != profile.environment.end(); ++variable)
        json["environment"][toJson(variable.key())] = toJson(variable.value());
    return json;
}

Result<AcpProfile> acpProfileFromJson(const Json &json) {
    using Answer = Result<AcpProfile>;
    AcpProfile profile;
    profile.name = stringIn(json, "name");
    profile.command = stringIn(json, "command");
    if (profile.name.isEmpty() || profile.command.isEmpty())
        return Answer::error(QStringLiteral("an agent has no name or no command"));
    profile.unknown = json;
    for (const char *key : {"name", "command", "arguments", "environment"})
        profile.unknown.erase(key);
    if (const auto arguments = json.find("arguments"); arguments != json.end()) {
        if (!isList(*arguments))
            return Answer::error(
                QStringLiteral("\"arguments\" of the agent \"%1\" is no list of words").arg(profile.name));
        profile.arguments = stringsIn(*arguments);
    }
    if (const auto variables = json.find("environment"); variables != json.end()) {
        if (!variables->is_object())
            return Answer::error(
                QStringLiteral("\"environment\" of the agent \"%1\" is no object").arg(profile.name));
        for (const auto &[name, value] : variables->items())
            if (value.is_string())
                profile.environment[fromJson(name)] = fromJson(value.get<std::string>());
    }
    return Answer::ok(std::move(profile));
}

QString whyBadProfile(const AcpProfile &profile) {
    static const QRegularExpression name(QStringLiteral("^[A-Za-z0-9._-]{1,64}$"));
    if (!name.match(profile.name).hasMatch())
        return QStringLiteral("the name \"%1\" is not made of letters, digits, \".\", \"_\" and \"-\"")
            .arg(profile.name);
    if (profile.command.isEmpty())
        return QStringLiteral("the agent \"%1\" has no command").arg(profile.name);
    if (profile.command.contains(QLatin1Char('/')) && !QDir::isAbsolutePath(profile.command))
        return QStringLiteral("the command \"%1\" is neither a name in PATH nor an absolute path")
            .arg(profile.command);
    return {};
}

QString whyKeyIsInTheOpen(const AcpProfile &profile) {
    static const QRegularExpression name(
        QStringLiteral("(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)"),
        QRegularExpression::CaseInsensitiveOption);
    for (auto variable = profile.environment.begin(); variable != profile.environment.end(); ++variable)
        if (name.match(variable.key()).hasMatch() && variableIn(variable.value()).isEmpty() &&
            canBeKey(variable.value()))
            return QStringLiteral("%1 looks like a key, and would lie in the open in a file. Set it in your "
                                  "own environment, which the agent has as well, or name the variable that "
                                  "holds it: %1=$OTHER")
                .arg(variable.key());
    return {};
}

Result<QMap<QString, QString>> environmentOf(const AcpProfile &profile, const QProcessEnvironment &ours) {
    using Answer = Result<QMap<QString, QString>>;
    QMap<QString, QString> environment = profile.environment;
    for (auto variable = environment.begin(); variable != environment.end(); ++variable) {
        const QString other = variableIn(variable.value());
        if (other.isEmpty())
            continue;
        if (!ours.contains(other))
            return Answer::error(
                QStringLiteral("Cannot start the agent \"%1\": its %2 is to come from the "
                               "environment variable %3, which is not set. Set it before you "
                               "start this program.")
                    .arg(profile.name, variable.key(), other));
        variable.value() = ours.value(other);
    }
    return Answer::ok(std::move(environment));
}

} // namespace warpwright
