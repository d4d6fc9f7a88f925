// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/tool_arguments.h"

#include <QStringList>

#include <cmath>

namespace warpwright {
namespace {

QString typeOf(const Json &schema) {
    return stringIn(schema, "type");
}

/// "a text", "a whole number from 1 to 600", "a list of {old, new, all?}"
QString wanted(const Json &schema);

QStringList namesOf(const Json &object) {
    QStringList names;
    const QStringList required = stringsIn(object.value("required", Json::array()));
    const Json properties = object.value("properties", Json::object());
    for (const auto &[key, value] : properties.items()) {
        const QString name = fromJson(key);
        names << (required.contains(name) ? name : name + QLatin1Char('?'));
    }
    return names;
}

QString range(const Json &schema) {
    const bool hasLow = schema.contains("minimum");
    const bool hasHigh = schema.contains("maximum");
    const auto number = [&schema](const char *key) {
        return QString::number(schema[key].get<double>(), 'g', 12);
    };
    if (hasLow && hasHigh)
        return QStringLiteral(" from %1 to %2").arg(number("minimum"), number("maximum"));
    return hasLow ? QStringLiteral(" from %1 on").arg(number("minimum")) : QString();
}

QString wanted(const Json &schema) {
    const QString type = typeOf(schema);
    if (schema.contains("enum"))
        return QStringLiteral("one of \"%1\"").arg(stringsIn(schema["enum"]).join(QStringLiteral("\", \"")));
    if (type == QLatin1String("string"))
        return QStringLiteral("a text");
    if (type == QLatin1String("integer"))
        return QStringLiteral("a whole number") + range(schema);
    if (type == QLatin1String("number"))
        return QStringLiteral("a number") + range(schema);
    if (type == QLatin1String("boolean"))
        return QStringLiteral("true or false");
    if (type == QLatin1String("array")) {
        const Json items = schema.value("items", Json::object());
        return typeOf(items) == QLatin1String("object")
                   ? QStringLiteral("a list of {%1}").arg(namesOf(items).join(QStringLiteral(", ")))
                   : QStringLiteral("a list, of each %1").arg(wanted(items));
    }
    return QStringLiteral("an object {%1}").arg(namesOf(schema).join(QStringLiteral(", ")));
}

QString given(const Json &value) {
    switch (value.type()) {
    case Json::value_t::null:
        return QStringLiteral("null");
    case Json::value_t::boolean:
        return QStringLiteral("true or false");
    case Json::value_t::string:
        return QStringLiteral("a text");
    case Json::value_t::array:
        return QStringLiteral("a list");
    case Json::value_t::object:
        return QStringLiteral("an object");
    default:
        return QStringLiteral("the number %1").arg(fromJson(value.dump()));
    }
}

bool isOfType(const Json &value, const Json &schema) {
    const QString type = typeOf(schema);
    if (type == QLatin1String("string"))
        return value.is_string();
    if (type == QLatin1String("boolean"))
        return value.is_boolean();
    if (type == QLatin1String("array"))
        return value.is_array();
    if (type == QLatin1String("object"))
        return value.is_object();
    if (!value.is_number())
        return false;
    const double number = value.get<double>();
    if ((schema.contains("minimum") && number < schema["minimum"].get<double>()) ||
        (schema.contains("maximum") && number > schema["maximum"].get<double>()))
        return false;
    // Some models write 5.0 where 5 is meant.
    return type != QLatin1String("integer") || number == std::trunc(number);
}

QString check(const Json &value, const Json &schema, const QString &name) {
    const QString subject =
        name.isEmpty() ? QStringLiteral("what is given") : QStringLiteral("\"%1\"").arg(name);
    if (!isOfType(value, schema))
        return QStringLiteral("%1 is %2, and has to be %3").arg(subject, given(value), wanted(schema));
    if (schema.contains("enum") &&
        !stringsIn(schema["enum"]).contains(stringsIn(Json::array({value})).value(0)))
        return QStringLiteral("%1 is \"%2\", and has to be %3")
            .arg(subject, stringsIn(Json::array({value})).value(0).left(100), wanted(schema));
    if (value.is_array()) {
        for (std::size_t at = 0; at < value.size(); ++at) {
            const QString why = check(value[at], schema.value("items", Json::object()),
                                      QStringLiteral("%1[%2]").arg(name).arg(at));
            if (!why.isEmpty())
                return why;
        }
    }
    if (!value.is_object())
        return {};
    const QString below = name.isEmpty() ? QString() : name + QLatin1Char('.');
    const Json properties = schema.value("properties", Json::object());
    for (const QString &required : stringsIn(schema.value("required", Json::array())))
        if (!value.contains(toJson(required)))
            return QStringLiteral("\"%1\" is missing: %2")
                .arg(below + required, wanted(properties[toJson(required)]));
    for (const auto &[key, member] : value.items()) {
        if (!properties.contains(key))
            return QStringLiteral("there is no \"%1\"").arg((below + fromJson(key)).left(100));
        if (const QString why = check(member, properties[key], below + fromJson(key)); !why.isEmpty())
            return why;
    }
    return {};
}

Json asMeant(const Json &schema, Json value) {
    const QString type = typeOf(schema);
    const bool isStructure = type == QLatin1String("array") || type == QLatin1String("object");
    if (value.is_string() && type != QLatin1String("string") && !type.isEmpty()) {
        const Json read = Json::parse(value.get_ref<const std::string &>(), nullptr, false);
        if (isStructure ? read.is_structured() : read.is_number() || read.is_boolean())
            value = read;
    }
    if (value.is_array() && schema.contains("items"))
        for (Json &item : value)
            item = asMeant(schema["items"], std::move(item));
    if (!value.is_object())
        return value;
    const Json properties = schema.value("properties", Json::object());
    const QStringList required = stringsIn(schema.value("required", Json::array()));
    Json meant = Json::object();
    for (const auto &[key, member] : value.items())
        if (!member.is_null() || !properties.contains(key) || required.contains(fromJson(key)))
            meant[key] = properties.contains(key) ? asMeant(properties[key], member) : member;
    return meant;
}

} // namespace

Json argumentsAsMeant(const Json &parameters, Json arguments) {
    return asMeant(parameters, arguments.is_null() ? Json::object() : std::move(arguments));
}

QString whyBadArguments(const QString &tool, const Json &parameters, const Json &arguments) {
    const QString why = check(arguments, parameters, {});
    if (why.isEmpty())
        return {};
    const QStringList names = namesOf(parameters);
    return QStringLiteral("Cannot call \"%1\": %2. %3")
        .arg(tool, why,
             names.isEmpty() ? QStringLiteral("It takes nothing.")
                             : QStringLiteral("It takes %1.").arg(names.join(QStringLiteral(", "))));
}

int intArgument(const Json &arguments, const char *name, int otherwise) {
    const auto found = arguments.find(name);
    return found != arguments.end() && found->is_number() ? static_cast<int>(found->get<double>())
                                                          : otherwise;
}

bool boolArgument(const Json &arguments, const char *name, bool otherwise) {
    const auto found = arguments.find(name);
    return found != arguments.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

} // namespace warpwright
