// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/report/ink.h"

#include <QString>

namespace warpwright {

/// For STDOUT_FILENO or STDERR_FILENO. Colours: a terminal, NO_COLOR is not set, TERM is not "dumb".
[[nodiscard]] Terminal terminalOf(int descriptor);

/// Everything at once, as UTF-8. A closed pipe is nobody's fault and is passed over.
void print(int descriptor, const QString &text);

} // namespace warpwright
