// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/language_values.h"

namespace warpwright {

/// torch's headers bring CPython's along, clang's those of x86, and with them thousands of names that hardly
/// anyone who writes a kernel means: PyThreadState beside threadIdx. Those are marked as far, unless `text`
/// itself includes the header that they come from; and include guards.
void markFarNames(Completion &completion, const QString &text);

} // namespace warpwright
