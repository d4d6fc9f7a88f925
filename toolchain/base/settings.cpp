// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/settings.h"

#include "toolchain/base/precision_names.h"
#include "toolchain/base/text_file.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>

#include <algorithm>
#include <cmath>

namespace warpwright {

namespace {

constexpr qint64 bytesAtMost = 1 << 20; // a window waits for it

struct Reading {
    Settings settings;
    QStringList problems; ///< of single keys, the rest of which is good
};

QString brokenMessage(const QString &file, const QString &reason) {
    return QStringLiteral(
               "Cannot read the settings \"%1\": %2. Correct the file, or remove it to start with none.")
        .arg(file, reason);
}

/// Each takes a value if it is what the key wants; otherwise it says what the value is not.
QString take(const Json &value, QString &member) {
    if (!value.is_string())
        return QStringLiteral("is no text");
    member = fromJson(value.get<std::string>());
    return {};
}

QString take(const Json &value, QString &member, const QStringList &words) {
    QString word;
    if (const QString problem = take(value, word); !problem.isEmpty())
        return problem;
    if (!words.contains(word))
        return QStringLiteral("is none of %1").arg(words.join(QStringLiteral(", ")));
    member = word;
    return {};
}

QString take(const Json &value, QStringList &member, const QStringList &words = {}) {
    const QStringList list = stringsIn(value);
    if (!value.is_array() || static_cast<std::size_t>(list.size()) != value.size())
        return QStringLiteral("is no list of texts");
    for (const QString &word : list)
        if (!words.isEmpty() && !words.contains(word))
            return QStringLiteral("holds \"%1\", which is none of %2")
                .arg(word, words.join(QStringLiteral(", ")));
    member = list;
    return {};
}

QString take(const Json &value, int &member, int least, int most) {
    // 0 is our word for «no choice», and a file may say so.
    const bool isRight =
        value.is_number_integer() &&
        (value == 0 || (value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most));
    if (!isRight)
        return QStringLiteral("is no number from %1 to %2").arg(least).arg(most);
    member = value.get<int>();
    return {};
}

QString takeFontScale(const Json &value, double &member) {
    const double scale = value.is_number() ? value.get<double>() : -1;
    if (!(scale >= 0.5 && scale <= 3))
        return QStringLiteral("is no number from 0.5 to 3");
    member = scale;
    return {};
}

QString takeTier(const Json &value, std::optional<Tier> &member) {
    QString word;
    const QString problem = take(value, word, {tierName(Tier::Quick), tierName(Tier::Certify)});
    if (problem.isEmpty())
        member = tierFromName(word);
    return problem;
}

QString takeKeys(const Json &value, QMap<QString, QString> &member) {
    QMap<QString, QString> keys;
    if (!value.is_object())
        return QStringLiteral("is no JSON object");
    for (const auto &[action, shortcut] : value.items()) {
        if (!shortcut.is_string())
            return QStringLiteral("has no text for \"%1\"").arg(fromJson(action));
        keys[fromJson(action)] = fromJson(shortcut.get<std::string>());
    }
    member = keys;
    return {};
}

Reading readKeys(const Json &object) {
    Reading reading;
    Settings &s = reading.settings;
    for (const auto &[key, value] : object.items()) {
        const QString problem =
            key == "python"         ? take(value, s.python)
            : key == "cuda"         ? take(value, s.cuda)
            : key == "architecture" ? take(value, s.architecture)
            : key == "device"       ? take(value, s.device)
            : key == "maxJobs"      ? take(value, s.maxJobs, 0, 4096)
            : key == "tier"         ? takeTier(value, s.tier)
            : key == "compileOn"
                ? take(value, s.compileOn,
                       {QStringLiteral("save"), QStringLiteral("idle"), QStringLiteral("never")})
            : key == "languageServer"
                ? take(value, s.languageServer, {QStringLiteral("on"), QStringLiteral("off")})
            : key == "formatOnSave"
                ? take(value, s.formatOnSave, {QStringLiteral("on"), QStringLiteral("off")})
            : key == "nvccFlags" ? take(value, s.nvccFlags)
            : key == "cxxFlags"  ? take(value, s.cxxFlags)
            : key == "allow"     ? take(value, s.allow, precisionNames())
            : key == "theme"
                ? take(value, s.theme,
                       {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")})
            : key == "fontScale"      ? takeFontScale(value, s.fontScale)
            : key == "codeFontFamily" ? take(value, s.codeFontFamily)
            : key == "codeFontSize"   ? take(value, s.codeFontSize, 6, 72)
            : key == "closeBrackets"
                ? take(value, s.closeBrackets, {QStringLiteral("typing"), QStringLiteral("never")})
            : key == "keys" ? takeKeys(value, s.keys)
                            : (s.unknown[key] = value, QString());
        if (!problem.isEmpty())
            reading.problems << QStringLiteral("\"%1\" %2").arg(fromJson(key), problem);
    }
    return reading;
}

/// The error says why it is no JSON object; with no file at all it is an empty one.
Result<Json> readObject(const QByteArray &text) {
    Result<Json> parsed = parseJson(text);
    if (!parsed.hasValue() || parsed.value().is_object())
        return parsed;
    return Result<Json>::error(QStringLiteral("it is no JSON object"));
}

} // namespace

Result<Settings> Settings::load(const QString &file) {
    if (!QFileInfo::exists(file))
        return Result<Settings>::ok({});
    const auto text = readTextFile(file, bytesAtMost);
    if (!text.hasValue())
        return Result<Settings>::error(text.message());
    const Result<Json> object = readObject(text.value());
    if (!object.hasValue())
        return Result<Settings>::error(brokenMessage(file, object.message()));
    Reading reading = readKeys(object.value());
    if (!reading.problems.isEmpty())
        return Result<Settings>::error(brokenMessage(file, reading.problems.first()));
    return Result<Settings>::ok(std::move(reading.settings));
}

Settings::Loaded Settings::loadOrDefaults(const QString &file) {
    if (!QFileInfo::exists(file))
        return {};
    const auto text = readTextFile(file, bytesAtMost);
    if (!text.hasValue())
        return {{}, text.message() + QStringLiteral(" Until then the defaults are used.")};
    const Result<Json> object = readObject(text.value());
    Reading reading = object.hasValue() ? readKeys(object.value()) : Reading{{}, {object.message()}};
    if (reading.problems.isEmpty())
        return {std::move(reading.settings), {}};

    const QString aside =
        file + QStringLiteral(".broken-") +
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'hhmmss.zzz'Z'"));
    // A copy first, then the good part in its place: the next store must not be what loses the rest.
    const bool isKept = QFile::copy(file, aside);
    const Result<void> mended = !isKept               ? Result<void>::error({})
                                : object.hasValue()   ? reading.settings.store(file)
                                : QFile::remove(file) ? Result<void>::ok()
                                                      : Result<void>::error({});
    const QString kept =
        mended.hasValue()
            ? QStringLiteral("It is kept as \"%1\"; what is wrong in it has its default now.").arg(aside)
            : QStringLiteral("What is wrong in it has its default until you correct or remove the file.");
    return {std::move(reading.settings), QStringLiteral("Cannot use all of the settings \"%1\": %2. %3")
                                             .arg(file, reading.problems.join(QStringLiteral("; ")), kept)};
}

Result<void> Settings::store(const QString &file) const {
    Json object = unknown;
    const auto put = [&object](const char *key, const QString &value) {
        if (!value.isEmpty())
            object[key] = toJson(value);
    };
    const auto putList = [&object](const char *key, const QStringList &values) {
        if (!values.isEmpty())
            object[key] = stringsToJson<Json>(values);
    };
    put("python", python);
    put("cuda", cuda);
    put("architecture", architecture);
    put("device", device);
    if (maxJobs > 0)
        object["maxJobs"] = maxJobs;
    if (tier)
        put("tier", tierName(*tier));
    put("compileOn", compileOn);
    put("languageServer", languageServer);
    put("formatOnSave", formatOnSave);
    putList("nvccFlags", nvccFlags);
    putList("cxxFlags", cxxFlags);
    putList("allow", allow);
    put("theme", theme);
    if (fontScale > 0)
        object["fontScale"] = std::round(fontScale * 1000) / 1000; // 1, not 0.9999999999999999
    put("codeFontFamily", codeFontFamily);
    put("closeBrackets", closeBrackets);
    if (codeFontSize > 0)
        object["codeFontSize"] = codeFontSize;
    for (auto key = keys.cbegin(); key != keys.cend(); ++key)
        object["keys"][toJson(key.key())] = toJson(key.value());
    return writeFileAtomically(file, dumpJson(object, 4) + '\n');
}

Result<Settings> Settings::change(const QString &file, const std::function<void(Settings &)> &edit) {
    if (const Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
        return Result<Settings>::error(made.message());
    // Where no lock can be had (a full disk, an odd file system) the store itself says what is wrong.
    QLockFile lock(file + QStringLiteral(".lock"));
    lock.setStaleLockTime(5000);
    [[maybe_unused]] const bool isAlone = lock.tryLock(6000);
    Result<Settings> settings = load(file);
    if (!settings.hasValue())
        return settings;
    Settings changed = std::move(settings).value();
    edit(changed);
    const Result<void> stored = changed.store(file);
    return stored.hasValue() ? Result<Settings>::ok(std::move(changed))
                             : Result<Settings>::error(stored.message());
}

} // namespace warpwright
