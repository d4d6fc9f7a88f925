// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/model_profiles.h"

#include "toolchain/text_file.h"

#include <QFileInfo>
#include <QLockFile>

#include <algorithm>

namespace warpwright {
namespace {

Result<ModelProfiles> broken(const QString &file, const QString &reason) {
    return Result<ModelProfiles>::error(
        QStringLiteral(
            "Cannot read the models \"%1\": %2. Correct the file, or remove it to start with none.")
            .arg(file, reason));
}

auto placeOf(const QString &name) {
    return [&name](const ModelProfile &profile) {
        return profile.name == name;
    };
}

} // namespace

Result<ModelProfiles> ModelProfiles::load(const QString &file) {
    if (!QFileInfo::exists(file))
        return Result<ModelProfiles>::ok({});
    const auto text = readTextFile(file);
    if (!text.hasValue())
        return Result<ModelProfiles>::error(text.message());
    const Result<Json> json = parseJson(text.value());
    if (!json.hasValue())
        return broken(file, json.message());
    if (!json.value().is_object())
        return broken(file, QStringLiteral("it is no JSON object"));
    ModelProfiles models;
    models.unknown = json.value();
    models.unknown.erase("models");
    const auto list = json.value().find("models");
    if (list == json.value().end())
        return Result<ModelProfiles>::ok(std::move(models));
    if (!list->is_array())
        return broken(file, QStringLiteral("\"models\" is no list"));
    for (const Json &entry : *list) {
        const Result<ModelProfile> profile = modelProfileFromJson(entry);
        if (!profile.hasValue())
            return broken(file, profile.message());
        if (models.find(profile.value().name) != nullptr)
            return broken(file, QStringLiteral("the model \"%1\" is there twice").arg(profile.value().name));
        models.profiles.push_back(profile.value());
    }
    return Result<ModelProfiles>::ok(std::move(models));
}

Result<void> ModelProfiles::store(const QString &file) const {
    Json json = unknown;
    json["models"] = Json::array();
    for (const ModelProfile &profile : profiles)
        json["models"].push_back(modelProfileToJson(profile));
    return writeFileAtomically(file, dumpJson(json, 4) + '\n');
}

Result<ModelProfiles> ModelProfiles::change(const QString &file,
                                            const std::function<void(ModelProfiles &)> &edit) {
    if (const Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
        return Result<ModelProfiles>::error(made.message());
    // Where no lock can be had (a full disk, an odd file system) the store itself says what is wrong.
    QLockFile lock(file + QStringLiteral(".lock"));
    lock.setStaleLockTime(5000);
    [[maybe_unused]] const bool isAlone = lock.tryLock(6000);
    Result<ModelProfiles> loaded = load(file);
    if (!loaded.hasValue())
        return loaded;
    ModelProfiles models = std::move(loaded).value();
    edit(models);
    const Result<void> stored = models.store(file);
    return stored.hasValue() ? Result<ModelProfiles>::ok(std::move(models))
                             : Result<ModelProfiles>::error(stored.message());
}

const ModelProfile *ModelProfiles::find(const QString &name) const {
    const auto found = std::find_if(profiles.begin(), profiles.end(), placeOf(name));
    return found == profiles.end() ? nullptr : &*found;
}

void ModelProfiles::put(const ModelProfile &profile) {
    const auto found = std::find_if(profiles.begin(), profiles.end(), placeOf(profile.name));
    if (found == profiles.end())
        profiles.push_back(profile);
    else
        *found = profile;
}

bool ModelProfiles::remove(const QString &name) {
    return std::erase_if(profiles, placeOf(name)) > 0;
}

} // namespace warpwright
