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

    /// Reads every file under `root` whose path `isWanted`. Not entered: what is hidden at the root, build/
    /// there, tests/data and the like; anywhere .git, .warpwright, __pycache__ and symbolic links. In the
    /// order of their paths.
    static QVector<GuardFile> readAll(const QString &root, bool (*isWanted)(const QString &path));
    /// Symbolic links in the folders of `root`, also those that lead nowhere.
    static QStringList linkComplaints(const QString &root);
};

} // namespace warpwright
