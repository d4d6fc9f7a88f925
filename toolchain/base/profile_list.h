// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/json.h"
#include "toolchain/base/result.h"

#include <QString>

#include <algorithm>
#include <functional>
#include <vector>

namespace warpwright {

/// What ProfileList needs of a kind of profiles: `one` ("model"), `many` ("models": the list in the file and
/// the file's name), toJson(profile), fromJson(json). A profile has a name.
template <typename Profile>
struct ProfileKind;

/// The file as an object whose `many`, where it has one, is a list. A missing file is an empty object; a
/// broken one is an error that names the file and the way out.
[[nodiscard]] Result<Json> readProfileFile(const QString &file, const QString &many);
[[nodiscard]] Result<void> writeProfileFile(const QString &file, const Json &json);
[[nodiscard]] QString brokenProfileFile(const QString &file, const QString &many, const QString &why);
/// Makes the file's folder, and does this while no other program of ours changes the file.
[[nodiscard]] Result<void> changeProfileFile(const QString &file,
                                             const std::function<Result<void>()> &change);

/// What a person has set up under names, in a file of their configuration: models, external agents. No keys.
template <typename Profile>
struct ProfileList {
    using Kind = ProfileKind<Profile>;

    std::vector<Profile> profiles; ///< each name once, in the order of the file
    Json unknown = Json::object(); ///< fields of a newer version, kept when we store

    [[nodiscard]] static QString fileIn(const DataFolders &folders) {
        return QStringLiteral("%1/%2.json").arg(folders.config, QLatin1String(Kind::many));
    }

    static Result<ProfileList> load(const QString &file) {
        using Answer = Result<ProfileList>;
        const QString many = QLatin1String(Kind::many);
        const Result<Json> json = readProfileFile(file, many);
        if (!json.hasValue())
            return Answer::error(json.message());
        ProfileList list;
        list.unknown = json.value();
        list.unknown.erase(Kind::many);
        for (const Json &entry : json.value().value(Kind::many, Json::array())) {
            const Result<Profile> profile = Kind::fromJson(entry);
            if (!profile.hasValue())
                return Answer::error(brokenProfileFile(file, many, profile.message()));
            if (list.find(profile.value().name) != nullptr)
                return Answer::error(
                    brokenProfileFile(file, many,
                                      QStringLiteral("the %1 \"%2\" is there twice")
                                          .arg(QLatin1String(Kind::one), profile.value().name)));
            list.profiles.push_back(profile.value());
        }
        return Answer::ok(std::move(list));
    }

    [[nodiscard]] Result<void> store(const QString &file) const {
        Json json = unknown;
        json[Kind::many] = Json::array();
        for (const Profile &profile : profiles)
            json[Kind::many].push_back(Kind::toJson(profile));
        return writeProfileFile(file, json);
    }

    /// Reads, changes and stores while no other program of ours does. Gives the profiles as stored.
    static Result<ProfileList> change(const QString &file, const std::function<void(ProfileList &)> &edit) {
        ProfileList list;
        const Result<void> changed = changeProfileFile(file, [&] {
            Result<ProfileList> loaded = load(file);
            if (!loaded.hasValue())
                return Result<void>::error(loaded.message());
            list = std::move(loaded).value();
            edit(list);
            return list.store(file);
        });
        return changed.hasValue() ? Result<ProfileList>::ok(std::move(list))
                                  : Result<ProfileList>::error(changed.message());
    }

    [[nodiscard]] const Profile *find(const QString &name) const {
        for (const Profile &profile : profiles)
            if (profile.name == name)
                return &profile;
        return nullptr;
    }
    /// In the place of the one of its name; else behind all.
    void put(const Profile &profile) {
        const auto found = std::find_if(profiles.begin(), profiles.end(),
                                        [&](const Profile &one) { return one.name == profile.name; });
        if (found == profiles.end())
            profiles.push_back(profile);
        else
            *found = profile;
    }
    bool remove(const QString &name) {
        return std::erase_if(profiles, [&](const Profile &one) { return one.name == name; }) > 0;
    }

    bool operator==(const ProfileList &) const = default;
};

} // namespace warpwright
