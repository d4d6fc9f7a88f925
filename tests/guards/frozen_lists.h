// SPDX-License-Identifier: GPL-3.0-or-later
// The files that guards of the structure look at, and the lists of what they put up with.
#pragma once

#include "tests/guards/allow_list.h"

namespace warpwright {

/// .h, .cpp, .cu, .cuh of the layers and of their tests.
bool isCpp(const QString &path);
bool isCppOfLayers(const QString &path);
/// C++ under an ending that isCpp() does not know, so that no guard would look at it.
bool hasForeignEnding(const QString &path);
/// What cmake/embed.cmake makes a header and a source of.
bool isTemplate(const QString &path);
/// CMake's lists in the layers, and the judge's.
bool isSourceList(const QString &path);
bool isReadmeOfLayers(const QString &path);

/// Of `files` those whose path `isWanted`.
QVector<GuardFile> chosenFiles(const QVector<GuardFile> &files, bool (*isWanted)(const QString &path));

/// Complaints of `faults` beyond tests/guards/allowed/`name`. With WARPWRIGHT_FREEZE=<folder> the list is
/// written into that folder as it would have to be, and the complaint is that nothing was checked; `title` is
/// its first line.
QStringList beyondAllowed(const QString &name, const QString &title, const QVector<GuardFault> &faults);

} // namespace warpwright
