// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/base/settings.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace warpwright {

/// .warpwright/task.json: what a person may choose for this task. What the file does not say is the person's
/// default (withDefaults()), else ours.
struct TaskSettings {
    QStringList allow = {QStringLiteral("FP32"), QStringLiteral("TF32")}; ///< of precisionNames()
    QStringList nvccFlags;                                                ///< added after ours
    QStringList cxxFlags;                                                 ///< added after ours
    QString architecture;                                                 ///< "sm_90a"; empty: the device's
    bool asksForIeee = false; ///< NaN, infinities and denormal numbers must come out as the reference's
    bool trains = false; ///< reference and candidate run in train mode ("mode": "train"), not in eval mode
    /// Keys that the file has: "allow", "flags.nvcc", "flags.cxx", "architecture", "ieee", "mode".
    QStringList chosen;

    /// The same, with the settings' own precision and flags where the file chooses none.
    [[nodiscard]] TaskSettings withDefaults(const Settings &settings) const;
    bool operator==(const TaskSettings &) const = default;
};

/// Whether it has the form "sm_90a".
[[nodiscard]] bool isArchitectureName(const QString &name);

/// The file of the workspace `folder`, whether it is there or not.
[[nodiscard]] QString taskSettingsFile(const QString &folder);
/// Of the workspace `folder`. A missing file is all defaults.
[[nodiscard]] Result<TaskSettings> readTaskSettings(const QString &folder);
/// Writes the keys of `chosen`, takes the other known ones out, and keeps those we do not know.
[[nodiscard]] Result<void> storeTaskSettings(const QString &folder, const TaskSettings &settings);

} // namespace warpwright
