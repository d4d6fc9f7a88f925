// SPDX-License-Identifier: GPL-3.0-or-later
// Which of our files includes which.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

struct IncludeArrow {
    QString from; ///< a file's path
    int line = 0;
    QString to;
};

/// Quoted includes of files that are among `files`: written from the root, from the file's own folder or, as
/// the judge does, from toolchain/.
QVector<IncludeArrow> includeArrows(const QVector<GuardFile> &files);

} // namespace warpwright
