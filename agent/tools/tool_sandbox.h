// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QProcessEnvironment>
#include <QStringList>

namespace warpwright {

class WorkFolder;

/// The sandbox that a caller's commands run in: system, compilers and Python to read, the work folder to
/// write to, no network; of devices only those named. Neither the home nor the workspace, nor what the judge
/// keeps, is there.
struct ToolSandbox {
    QString program; ///< warpwright-sandbox
    QStringList words;
    QProcessEnvironment environment;

    /// What to start instead of `tool`, in `folder`.
    [[nodiscard]] QStringList arguments(const QString &folder, const QString &tool,
                                        const QStringList &toolArguments) const;
};

/// An error where no sandbox can stand on this system: nothing is run without one. Asks the kernel what it
/// offers (a millisecond).
[[nodiscard]] Result<ToolSandbox> makeToolSandbox(const WorkFolder &work, const Toolchain &toolchain,
                                                  const DataFolders &folders, const QProcessEnvironment &ours,
                                                  bool withDevices);

} // namespace warpwright
