// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

/// A row's moments with one barrier of the cluster, as lines of a CUDA kernel.
namespace warpwright {

/// Declares the shared memory, and `part`: the number of the row's elements in this block. `type`: of the
/// sums; `width`: elements of a vector.
[[nodiscard]] QStringList partOfRowLines(const QString &type, int width);
[[nodiscard]] QString combineMomentsLine(const QString &sum, const QString &squares);
/// `center`: the mean of a block's part.
[[nodiscard]] QString meanOfPartLine(const QString &type, const QString &sum);

} // namespace warpwright
