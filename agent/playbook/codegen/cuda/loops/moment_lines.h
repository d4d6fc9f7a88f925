// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

/// How the blocks of a cluster meet once for a row's moments, as text of a CUDA kernel.
namespace warpwright {

/// Where they meet, and `part`: how many elements of the row are this block's; `type`: of the sums; `width`:
/// of a pack's elements.
[[nodiscard]] QStringList partOfRowLines(const QString &type, int width);
[[nodiscard]] QString combineMomentsLine(const QString &sum, const QString &squares);
/// `center`: the mean of a block's part.
[[nodiscard]] QString meanOfPartLine(const QString &type, const QString &sum);

} // namespace warpwright
