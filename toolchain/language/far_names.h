// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/language_values.h"

namespace warpwright {

/// torch's headers bring CPython's along, and with them a thousand names that hardly anyone who writes a
/// kernel means: PyThreadState before threadIdx. Those are marked as far, unless `text` itself includes the
/// header that they come from.
void markFarNames(Completion &completion, const QString &text);

} // namespace warpwright
