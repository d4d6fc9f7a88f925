// SPDX-License-Identifier: GPL-3.0-or-later
// The files that the guards of the structure read, and their lists of known violations.
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

/// Complaints about those `faults` that tests/guards/allowed/`name` does not allow. With
/// WARPWRIGHT_FREEZE=<folder> the list that allows exactly `faults` is written into that folder, under the
/// heading `title`, and the only complaint is that nothing was checked.
QStringList beyondAllowed(const QString &name, const QString &title, const QVector<GuardFault> &faults);

} // namespace warpwright
