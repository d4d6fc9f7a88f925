// SPDX-License-Identifier: GPL-3.0-or-later
// Says which source files have grown over 500 lines.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

/// Code and scripts of any language; data and documents are not meant.
bool isSizedSource(const QString &path);

/// One line a complaint: "app/cli/main.cpp: 612 lines, more than 500".
QStringList fileSizeComplaints(const QVector<GuardFile> &files);

} // namespace warpwright
