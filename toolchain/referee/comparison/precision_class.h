// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <string>

namespace warpwright {

/// Precision classes by name: FP64, FP32, TF32, FP16, BF16. A larger rank is less precise.
int rankOf(const std::string &precision);

/// The class in which a reference with outputs of these types computes.
std::string classOfTypes(const Json &tree);

} // namespace warpwright
