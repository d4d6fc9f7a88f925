// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_profiles.h"

#include "agent/acp/known_agents.h"
#include "toolchain/text_file.h"

#include <QFileInfo>
#include <QLockFile>

#include <algorithm>

namespace warpwright {
namespace {

Result<AcpProfiles> broken(const QString &file, const QString &reason) {
    return Result<AcpProfiles>::error(
        QStringLiteral(
            "Cannot read the agents \"%1\": %2. Correct the file, or remove it to start with none.")
            .arg(file, reason));
}

auto placeOf(const QString &name) {
    return [&name](const AcpProfile &profile) {
        return profile.name == name;
    };
}

} // namespace

Result<AcpProfiles> AcpProfiles::load(const QString &file) {
    if (!QFileInfo::exists(file))
        return Result<AcpProfiles>::ok({});
    const auto text = readTextFile(file);
    if (!text.hasValue())
        return Result<AcpProfiles>::error(text.message());
    const Result<Json> json = parseJson(text.value());
    if (!json.hasValue())
        return broken(file, json.message());
    if (!json.value().is_object())
        return broken(file, QStringLiteral("it is no JSON object"));
    AcpProfiles agents;
    agents.unknown = json.value();
    agents.unknown.erase("agents");
    const auto list = json.value().find("agents");
    if (list == json.value().end())
        return Result<AcpProfiles>::ok(std::move(agents));
    if (!list->is_array())
        return broken(file, QStringLiteral("\"agents\" is no list"));
    for (const Json &entry : *list) {
        const Result<AcpProfile> profile = acpProfileFromJson(entry);
        if (!profile.hasValue())
            return broken(file, profile.message());
        if (agents.find(profile.value().name) != nullptr)
            return broken(file, QStringLiteral("the agent \"%1\" is there twice").arg(profile.value().name));
        agents.profiles.push_back(profile.value());
    }
    return Result<AcpProfiles>::ok(std::move(agents));
}

Result<void> AcpProfiles::store(const QString &file) const {
    Json json = unknown;
    json["agents"] = Json::array();
    for (const AcpProfile &profile : profiles)
        json["agents"].push_back(acpProfileToJson(profile));
    return writeFileAtomically(file, dumpJson(json, 4) + '\n');
}

Result<AcpProfiles> AcpProfiles::change(const QString &file, const std::function<void(AcpProfiles &)> &edit) {
    if (const Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
        return Result<AcpProfiles>::error(made.message());
    // Where no lock can be had (a full disk, an odd file system) the store itself says what is wrong.
    QLockFile lock(file + QStringLiteral(".lock"));
    lock.setStaleLockTime(5000);
    [[maybe_unused]] const bool isAlone = lock.tryLock(6000);
    Result<AcpProfiles> loaded = load(file);
    if (!loaded.hasValue())
        return loaded;
    AcpProfiles agents = std::move(loaded).value();
    edit(agents);
    const Result<void> stored = agents.store(file);
    return stored.hasValue() ? Result<AcpProfiles>::ok(std::move(agents))
                             : Result<AcpProfiles>::error(stored.message());
}

const AcpProfile *AcpProfiles::find(const QString &name) const {
    const auto found = std::find_if(profiles.begin(), profiles.end(), placeOf(name));
    return found == profiles.end() ? nullptr : &*found;
}

void AcpProfiles::put(const AcpProfile &profile) {
    const auto found = std::find_if(profiles.begin(), profiles.end(), placeOf(profile.name));
    if (found == profiles.end())
        profiles.push_back(profile);
    else
        *found = profile;
}

bool AcpProfiles::remove(const QString &name) {
    return std::erase_if(profiles, placeOf(name)) > 0;
}

Result<AcpProfile> acpProfileNamed(const QString &name, const DataFolders &folders) {
    using Answer = Result<AcpProfile>;
    const Result<AcpProfiles> agents = AcpProfiles::load(AcpProfiles::fileIn(folders));
    if (!agents.hasValue())
        return Answer::error(agents.message());
    if (const AcpProfile *profile = agents.value().find(name)) {
        const QString why = whyBadProfile(*profile);
        return why.isEmpty() ? Answer::ok(*profile)
                             : Answer::error(QStringLiteral("Cannot use the agent \"%1\" of \"%2\": %3.")
                                                 .arg(name, AcpProfiles::fileIn(folders), why));
    }
    if (const KnownAgent *known = knownAgent(name))
        return Answer::ok(known->profile());
    return Answer::error(
        QStringLiteral("There is no agent \"%1\": wright agents lists those that are set up and "
                       "those that are known, wright agents add sets one up.")
            .arg(name));
}

} // namespace warpwright
