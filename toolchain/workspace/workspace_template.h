// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>
#include <QStringList>

#include <map>

namespace warpwright {

/// Fills `folder` (made if missing) with a workspace around `modelFile`: our template, plus that file as
/// model.py. Overwrites nothing: where a file is in the way, it says which and writes none. Gives the paths
/// written, relative.
[[nodiscard]] Result<QStringList> createWorkspace(const QString &folder, const QString &modelFile,
                                                  const QString &resources);

/// Fills `folder` (made if missing) with these texts by their relative paths. Overwrites nothing, as above.
[[nodiscard]] Result<QStringList> writeNewFiles(const QString &folder,
                                                const std::map<QString, QByteArray> &files);

} // namespace warpwright
