// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

namespace warpwright {

/// Where the lines of an older text stand in a newer one: for each line of `before` (the first at place 0)
/// its line in `after`, from 1; 0: it was changed or is gone.
[[nodiscard]] std::vector<int> movedLines(const QByteArray &before, const QByteArray &after);

} // namespace warpwright
