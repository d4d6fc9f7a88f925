// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/settings.h"

#include "toolchain/text_file.h"

#include <QFileInfo>

namespace warpwright {

namespace {

Result<Settings> broken(const QString &file, const QString &reason) {
    return Result<Settings>::error(
        QStringLiteral(
            "Cannot read the settings \"%1\": %2. Correct the file, or remove it to start with none.")
            .arg(file, reason));
}

} // namespace

Result<Settings> Settings::load(const QString &file) {
    if (!QFileInfo::exists(file))
        return Result<Settings>::ok({});
    const auto text = readTextFile(file);
    if (!text.hasValue())
        return Result<Settings>::error(text.message());
    const auto parsed = parseJson(text.value());
    if (!parsed.hasValue())
        return broken(file, parsed.message());
    if (!parsed.value().is_object())
        return broken(file, QStringLiteral("it is no JSON object"));

    Settings settings;
    for (const auto &[key, value] : parsed.value().items()) {
        QString *member = key == "python"         ? &settings.python
                          : key == "cuda"         ? &settings.cuda
                          : key == "architecture" ? &settings.architecture
                          : key == "device"       ? &settings.device
                                                  : nullptr;
        if (member) {
            if (!value.is_string())
                return broken(file, QStringLiteral("\"%1\" is no text").arg(fromJson(key)));
            *member = fromJson(value.get<std::string>());
        } else if (key == "maxJobs") {
            if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
                value.get<std::int64_t>() > 4096)
                return broken(file, QStringLiteral("\"maxJobs\" is no number from 0 to 4096"));
            settings.maxJobs = value.get<int>();
        } else {
            settings.unknown[key] = value;
        }
    }
    return Result<Settings>::ok(std::move(settings));
}

Result<void> Settings::store(const QString &file) const {
    Json object = unknown;
    const auto put = [&object](const char *key, const QString &value) {
        if (!value.isEmpty())
            object[key] = toJson(value);
    };
    put("python", python);
    put("cuda", cuda);
    put("architecture", architecture);
    put("device", device);
    if (maxJobs > 0)
        object["maxJobs"] = maxJobs;
    return writeFileAtomically(file, dumpJson(object, 4) + '\n');
}

} // namespace warpwright
