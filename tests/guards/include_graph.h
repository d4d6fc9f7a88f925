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

/// Includes of files that are among `files`, in quotes and in angles: written from the root, from the file's
/// own folder or, as the judge does, from toolchain/; "a/../b.h" is b.h. A template X/templates/Y.cu.in among
/// `files` is included by its header's name, X/templates/Y.h.
QVector<IncludeArrow> includeArrows(const QVector<GuardFile> &files);

} // namespace warpwright
