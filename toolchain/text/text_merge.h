// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

struct MergedText {
    QString text; ///< where it is not clean, both sides stand in it between «<<<<<<<» and «>>>>>>>»
    bool isClean = true;

    bool operator==(const MergedText &) const = default;
};

/// What `mine` and `theirs` made of `base`, both kept. Where they changed the same or neighbouring lines in
/// different ways it is not clean. `mineName`, `theirsName` stand behind the marks of a conflict.
[[nodiscard]] MergedText mergeTexts(const QString &base, const QString &mine, const QString &theirs,
                                    const QString &mineName, const QString &theirsName);

} // namespace warpwright
