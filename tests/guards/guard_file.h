// SPDX-License-Identifier: GPL-3.0-or-later
// One file of the source tree as the guards see it: its path from the root, and its lines.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace warpwright {

struct GuardFile {
    QString path; ///< from the root, with slashes: "toolchain/base/result.h"
    QStringList lines;

    /// Reads every file under `root` whose path `isWanted`; build folders, .git and tests/data are not
    /// entered. In the order of their paths.
    static QVector<GuardFile> readAll(const QString &root, bool (*isWanted)(const QString &path));
};

} // namespace warpwright
