// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace warpwright {

/// The sizes of text that the settings offer, in percent: keys and the wheel step through the same ones.
[[nodiscard]] const std::vector<int> &textScales();
/// `scale`: 1.2 is 120 %, also one that is not among them; so many sizes larger, or smaller.
[[nodiscard]] double steppedTextScale(double scale, int steps);

} // namespace warpwright
