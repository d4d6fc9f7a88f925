// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"
#include "toolchain/data_folders.h"

#include <functional>
#include <optional>
#include <vector>

namespace warpwright {

/// The models that a person has set up, in <config>/models.json; no keys.
struct ModelProfiles {
    std::vector<ModelProfile> profiles; ///< each name once, in the order of the file
    Json unknown = Json::object();      ///< fields of a newer version, kept when we store

    [[nodiscard]] static QString fileIn(const DataFolders &folders) {
        return folders.config + QStringLiteral("/models.json");
    }

    /// A missing file holds none; a broken one is an error that names the file and the way out.
    static Result<ModelProfiles> load(const QString &file);
    [[nodiscard]] Result<void> store(const QString &file) const;
    /// Reads, changes and stores while no other program of ours does. Gives the models as stored.
    static Result<ModelProfiles> change(const QString &file,
                                        const std::function<void(ModelProfiles &)> &edit);

    [[nodiscard]] const ModelProfile *find(const QString &name) const;
    /// In the place of the one of its name; else behind all.
    void put(const ModelProfile &profile);
    bool remove(const QString &name);

    bool operator==(const ModelProfiles &) const = default;
};

} // namespace warpwright
