// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what would wait inside of the window's thread: a loop within the loop, a dialog or a process waited
// for.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

/// Of a layer that runs in the window's thread; the program's own loop is in app/ide/shell/main.cpp.
bool isWindowSource(const QString &path);
/// "path:line: what, and why not".
QStringList loopComplaints(const QVector<GuardFile> &files);

} // namespace warpwright
