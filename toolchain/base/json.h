// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace warpwright {

/// Json sorts its keys (settings, messages); OrderedJson keeps the order of writing (documents that people
/// read).
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// UTF-8 in both directions. A lone surrogate becomes U+FFFD, so dump() never throws on a string from here.
[[nodiscard]] inline std::string toJson(const QString &text) {
    return text.toStdString();
}

[[nodiscard]] inline QString fromJson(const std::string &text) {
    return QString::fromStdString(text);
}

/// The member `key` as text; `otherwise` where it is absent or no string. Never throws.
template <typename AnyJson>
[[nodiscard]] QString stringIn(const AnyJson &object, const char *key, const QString &otherwise = {}) {
    if (!object.is_object())
        return otherwise;
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? fromJson(found->template get<std::string>())
                                                       : otherwise;
}

/// The strings of an array; anything else in it is left out. Never throws.
template <typename AnyJson>
[[nodiscard]] QStringList stringsIn(const AnyJson &array) {
    QStringList strings;
    if (!array.is_array())
        return strings;
    for (const auto &entry : array)
        if (entry.is_string())
            strings.append(fromJson(entry.template get<std::string>()));
    return strings;
}

template <typename AnyJson>
[[nodiscard]] AnyJson stringsToJson(const QStringList &strings) {
    AnyJson array = AnyJson::array();
    for (const QString &text : strings)
        array.push_back(toJson(text));
    return array;
}

/// Parses without letting an exception into Qt code. The message gives the parser's words (line and column),
/// and leaves it to the caller to say which file it was.
template <typename AnyJson = Json>
[[nodiscard]] Result<AnyJson> parseJson(const QByteArray &text) {
    try {
        return Result<AnyJson>::ok(AnyJson::parse(text.begin(), text.end()));
    } catch (const nlohmann::json::exception &problem) {
        return Result<AnyJson>::error(QString::fromUtf8(problem.what()));
    }
}

/// Bytes that are no UTF-8 are replaced instead of thrown at the caller.
template <typename AnyJson>
[[nodiscard]] QByteArray dumpJson(const AnyJson &value, int indent = -1) {
    return QByteArray::fromStdString(value.dump(indent, ' ', false, AnyJson::error_handler_t::replace));
}

} // namespace warpwright
