// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Functions by which the threads of an emitted kernel meet, as text.
[[nodiscard]] QString reduceBlockText(); ///< one value a thread, and all get the result
[[nodiscard]] QString reduceClusterText();
[[nodiscard]] QString reduceLanesText(); ///< one value a group and lane
[[nodiscard]] QString scanBlockText();   ///< one value a thread, and each gets what came up to it
/// Neighbours that one instruction loads or stores.
[[nodiscard]] QString packText();

} // namespace warpwright
