// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// What the compilers said as a person reads it: long command lines, which the log begins with "$ ", are told
/// by tool, source and the number of their arguments; mangled names are demangled. `isWhole`: command lines
/// stay as they were run.
[[nodiscard]] QString readableLog(const QString &log, bool isWhole = false);

} // namespace warpwright
