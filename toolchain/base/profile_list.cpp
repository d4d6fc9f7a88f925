// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/profile_list.h"

#include "toolchain/base/text_file.h"

#include <QFileInfo>
#include <QLockFile>

namespace warpwright {

QString brokenProfileFile(const QString &file, const QString &many, const QString &why) {
    return QStringLiteral("Cannot read the %1 \"%2\": %3. Correct the file, or remove it to start with none.")
        .arg(many, file, why);
}

Result<Json> readProfileFile(const QString &file, const QString &many) {
    if (!QFileInfo::exists(file))
        return Result<Json>::ok(Json::object());
    const auto broken = [&](const QString &why) {
        return Result<Json>::error(brokenProfileFile(file, many, why));
    };
    const auto text = readTextFile(file);
    if (!text.hasValue())
        return Result<Json>::error(text.message());
    Result<Json> json = parseJson(text.value());
    if (!json.hasValue())
        return broken(json.message());
    if (!json.value().is_object())
        return broken(QStringLiteral("it is no JSON object"));
    const auto list = json.value().find(many.toStdString());
    if (list != json.value().end() && !list->is_array())
        return broken(QStringLiteral("\"%1\" is no list").arg(many));
    return json;
}

Result<void> writeProfileFile(const QString &file, const Json &json) {
    return writeFileAtomically(file, dumpJson(json, 4) + '\n');
}

Result<void> changeProfileFile(const QString &file, const std::function<Result<void>()> &change) {
    if (Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
        return made;
    // Where no lock can be had (a full disk, an odd file system) the store itself says what is wrong.
    QLockFile lock(file + QStringLiteral(".lock"));
    lock.setStaleLockTime(5000);
    [[maybe_unused]] const bool isAlone = lock.tryLock(6000);
    return change();
}

} // namespace warpwright
