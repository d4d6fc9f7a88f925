// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

namespace warpwright {

/// As parseJson(), for what a language model wrote: it is cut into tokens and not into characters, so half of
/// a surrogate pair as an escape and bytes that are no UTF-8 may stand in it. Both become U+FFFD.
[[nodiscard]] Result<Json> parseJsonOfModels(const QByteArray &text);

} // namespace warpwright
