// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QProcessEnvironment>
#include <QStringList>

namespace warpwright {

class WorkFolder;

/// The wall that a caller's commands run behind: system, compilers and Python to read, the work folder to
/// write to, no network; of devices only those named. Neither the home nor the workspace, nor what the judge
/// keeps, is there.
struct ToolWall {
    QString program; ///< warpwright-wall
    QStringList words;
    QProcessEnvironment environment;

    /// What to start instead of `tool`, in `folder`.
    [[nodiscard]] QStringList arguments(const QString &folder, const QString &tool,
                                        const QStringList &toolArguments) const;
};

/// An error where no wall can stand on this system: nothing is run without one. Asks the kernel what it
/// offers (a millisecond).
[[nodiscard]] Result<ToolWall> makeToolWall(const WorkFolder &work, const Toolchain &toolchain,
                                            const DataFolders &folders, const QProcessEnvironment &ours,
                                            bool withDevices);

} // namespace warpwright
