// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"

#include <QString>

namespace warpwright {

/// For STDOUT_FILENO or STDERR_FILENO. Colours: a terminal, NO_COLOR is not set, TERM is not "dumb".
[[nodiscard]] Terminal terminalOf(int descriptor);

/// Everything at once, as UTF-8. What cannot be written is passed over here: see lostOutput().
void print(int descriptor, const QString &text);

/// Why print() lost something of standard output, as errno; 0: it lost nothing. EPIPE is nobody's fault.
[[nodiscard]] int lostOutput();

} // namespace warpwright
