// SPDX-License-Identifier: GPL-3.0-or-later
// Says which includes point up a layer, or mix what must not meet.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

bool isLayeredSource(const QString &path);

/// One line a complaint: "toolchain/a.cpp:3: includes "app/b.h", but toolchain may not use app". The arrows
/// are those of docs/architecture.md; besides:
/// - a quoted include is written from the repository root (toolchain/referee, which plain g++ builds,
/// excepted);
/// - what is ours is included in quotes, by a literal path without "..", "." and "//";
/// - no Qt in toolchain/referee; no LibTorch outside it; the toolchain does not include the judge;
/// - no widget, window or network headers below the layers that may have them.
QStringList layerComplaints(const QVector<GuardFile> &files);

} // namespace warpwright
