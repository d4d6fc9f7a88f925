// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpwright {

/// Numbers as the answers write them. JSON has no NaN and no infinity: those become texts.
Json numberOrWord(double value);
std::string percent(double fraction); ///< "0.4 %"
std::string scientific(double value); ///< "1.2e-05"
/// "1.71, expected 1.72", with as many digits as tell them apart, at most 9.
std::string actualAndExpected(double actual, double expected);
std::string indexText(const std::vector<int64_t> &index); ///< "[3, 17]"

} // namespace warpwright
