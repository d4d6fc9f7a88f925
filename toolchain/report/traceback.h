// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// A Python traceback with the frames that the person wrote: those of our worker, of Python's import system
/// and of torch's module calls are left out. Other text stays as it is. At most `lineLimit` lines, the last
/// ones.
[[nodiscard]] QString ownFrames(const QString &traceback, int lineLimit = 30);

} // namespace warpwright
