// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/text_change.h"

#include <QStringDecoder>

namespace warpwright {
namespace {

bool isUtf8(const QByteArray &bytes) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    [[maybe_unused]] const QString text = decoder(bytes);
    return !decoder.hasError();
}

const Json *arrayIn(const Json &json, const char *key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() && found->is_array() ? &*found : nullptr;
}

bool isFalse(const Json &json, const char *key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && !found->get<bool>();
}

QString cannotRead(const QString &why) {
    return QStringLiteral("The change cannot be read: %1.").arg(why);
}

} // namespace

Json linesToJson(const std::vector<QByteArray> &lines) {
    Json array = Json::array();
    for (const QByteArray &line : lines) {
        if (isUtf8(line))
            array.push_back(line.toStdString());
        else
            array.push_back(Json{{"base64", line.toBase64().toStdString()}});
    }
    return array;
}

Result<std::vector<QByteArray>> linesFromJson(const Json &json) {
    using Answer = Result<std::vector<QByteArray>>;
    if (!json.is_array())
        return Answer::error(cannotRead(QStringLiteral("its lines are no list")));
    std::vector<QByteArray> lines;
    for (const Json &line : json) {
        if (line.is_string()) {
            lines.push_back(QByteArray::fromStdString(line.get<std::string>()));
            continue;
        }
        const auto coded = QByteArray::fromBase64Encoding(stringIn(line, "base64").toLatin1(),
                                                          QByteArray::AbortOnBase64DecodingErrors);
        if (!line.is_object() || !coded || coded.decoded.isEmpty())
            return Answer::error(cannotRead(QStringLiteral("a line is neither a string nor base64")));
        lines.push_back(coded.decoded);
    }
    return Answer::ok(std::move(lines));
}

Json lineChangeToJson(const LineChange &hunk) {
    Json json{{"file", toJson(hunk.file)},
              {"oldStart", hunk.oldStart},
              {"oldLines", linesToJson(hunk.oldLines)},
              {"newLines", linesToJson(hunk.newLines)}};
    if (!hunk.hadFile)
        json["oldFile"] = false;
    if (!hunk.hasFile)
        json["newFile"] = false;
    return json;
}

Result<LineChange> lineChangeFromJson(const Json &json) {
    using Answer = Result<LineChange>;
    LineChange hunk;
    hunk.file = stringIn(json, "file");
    const Json *oldLines = arrayIn(json, "oldLines");
    const Json *newLines = arrayIn(json, "newLines");
    if (hunk.file.isEmpty() || oldLines == nullptr || newLines == nullptr)
        return Answer::error(cannotRead(QStringLiteral("a hunk lacks file, oldLines or newLines")));
    const auto start = json.find("oldStart");
    if (start == json.end() || !start->is_number_integer() || start->get<qint64>() < 0 ||
        start->get<qint64>() > std::numeric_limits<int>::max())
        return Answer::error(
            cannotRead(QStringLiteral("a hunk of \"%1\" has no oldStart from 0").arg(hunk.file)));
    hunk.oldStart = start->get<int>();
    Result<std::vector<QByteArray>> before = linesFromJson(*oldLines);
    Result<std::vector<QByteArray>> after = linesFromJson(*newLines);
    if (!before.hasValue() || !after.hasValue())
        return Answer::error(before.hasValue() ? after.message() : before.message());
    hunk.oldLines = std::move(before).value();
    hunk.newLines = std::move(after).value();
    hunk.hadFile = !isFalse(json, "oldFile");
    hunk.hasFile = !isFalse(json, "newFile");
    return Answer::ok(std::move(hunk));
}

Json changeToJson(const TextChange &change) {
    Json json{{"baseHash", toJson(change.baseHash)}, {"resultHash", toJson(change.resultHash)}};
    Json hunks = Json::array();
    for (const LineChange &hunk : change.hunks)
        hunks.push_back(lineChangeToJson(hunk));
    json["hunks"] = std::move(hunks);
    for (const RenamedFile &renamed : change.renames)
        json["renames"].push_back(Json{{"from", toJson(renamed.from)}, {"to", toJson(renamed.to)}});
    return json;
}

Result<TextChange> changeFromJson(const Json &json) {
    using Answer = Result<TextChange>;
    TextChange change;
    change.baseHash = stringIn(json, "baseHash");
    change.resultHash = stringIn(json, "resultHash");
    const Json *hunks = arrayIn(json, "hunks");
    if (hunks == nullptr)
        return Answer::error(cannotRead(QStringLiteral("it has no hunks")));
    for (const Json &one : *hunks) {
        Result<LineChange> hunk = lineChangeFromJson(one);
        if (!hunk.hasValue())
            return Answer::error(hunk.message());
        change.hunks.push_back(std::move(hunk).value());
    }
    if (const Json *renames = arrayIn(json, "renames"); renames != nullptr)
        for (const Json &one : *renames) {
            RenamedFile renamed{stringIn(one, "from"), stringIn(one, "to")};
            if (renamed.from.isEmpty() || renamed.to.isEmpty())
                return Answer::error(cannotRead(QStringLiteral("a rename lacks from or to")));
            change.renames.push_back(std::move(renamed));
        }
    return Answer::ok(std::move(change));
}

} // namespace warpwright
