// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"
#include "toolchain/data_folders.h"

#include <functional>
#include <vector>

namespace warpwright {

/// The external agents that a person has set up, in <config>/agents.json.
struct AcpProfiles {
    std::vector<AcpProfile> profiles; ///< each name once, in the order of the file
    Json unknown = Json::object();    ///< fields of a newer version, kept when we store

    [[nodiscard]] static QString fileIn(const DataFolders &folders) {
        return folders.config + QStringLiteral("/agents.json");
    }

    /// A missing file holds none; a broken one is an error that names the file and the way out.
    static Result<AcpProfiles> load(const QString &file);
    [[nodiscard]] Result<void> store(const QString &file) const;
    /// Reads, changes and stores while no other program of ours does. Gives the agents as stored.
    static Result<AcpProfiles> change(const QString &file, const std::function<void(AcpProfiles &)> &edit);

    [[nodiscard]] const AcpProfile *find(const QString &name) const;
    /// In the place of the one of its name; else behind all.
    void put(const AcpProfile &profile);
    bool remove(const QString &name);

    bool operator==(const AcpProfiles &) const = default;
};

/// The one that is set up under this name, else the known agent of it. An error for people where there is
/// neither.
[[nodiscard]] Result<AcpProfile> acpProfileNamed(const QString &name, const DataFolders &folders);

} // namespace warpwright
