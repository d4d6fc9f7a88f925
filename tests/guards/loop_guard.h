// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what would wait inside of the window's thread: a loop within the loop, a dialog, a process or a
// thread waited for, a pause.
#pragma once

#include "tests/guards/allow_list.h"

namespace warpwright {

/// Of a layer that runs in the window's thread; the program's own loop is in app/ide/shell/main.cpp.
bool isWindowSource(const QString &path);
/// A fault for each file and blocking call in it, with how often: "app/ide/a.cpp waitForDone 2". Comments and
/// literals do not count.
QVector<GuardFault> loopFaults(const QVector<GuardFile> &files);

} // namespace warpwright
