// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <string>

namespace warpwright {

/// Plain values that stand among the tensors of a result, as leaves of its tree: numbers, texts, None.
/// Whether the candidate's is right: the same, or, of a float, as near as the reference's own is to the exact
/// one (it may come from a sum).
bool arePlainEqual(const Json &candidate, const Json &reference, const Json &exact);

/// "41", "\"rows\"", "None".
std::string describePlain(const Json &leaf);

} // namespace warpwright
