// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/json.h"
#include "toolchain/result.h"

#include <QString>

namespace warpwright {

/// What a person has chosen once for all workspaces. Empty means: find it yourself.
struct Settings {
    QString python;                ///< interpreter whose torch is used
    QString cuda;                  ///< folder of a CUDA toolkit (holds bin/nvcc)
    QString architecture;          ///< "sm_90a": for compiling where no device tells
    QString device;                ///< "auto", "cpu", "cuda:N"
    int maxJobs = 0;               ///< compiler processes at a time; 0: as cores and memory allow
    Json unknown = Json::object(); ///< keys of a newer version, kept when we store

    /// A missing file is an empty Settings; a broken one is an error that names the file, the line and the
    /// way out.
    static Result<Settings> load(const QString &file);
    [[nodiscard]] Result<void> store(const QString &file) const;

    bool operator==(const Settings &) const = default;
};

} // namespace warpwright
