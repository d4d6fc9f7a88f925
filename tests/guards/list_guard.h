// SPDX-License-Identifier: GPL-3.0-or-later
// Says which files stand in no list: of the build, and of the modules of a folder.
#pragma once

#include "tests/guards/allow_list.h"
#include "tests/guards/cmake_sources.h"

namespace warpwright {

/// Headers that are in no FILE_SET, so that the build never compiles them alone, and sources that no list
/// names; the judge's have to be in its build.json. What is no library has no FILE_SET: the judge, and
/// headers beside a source that only a program is made of.
QVector<GuardFault> unlistedFaults(const QVector<GuardFile> &files, const CMakeSources &sources);

/// Modules that their folder's README.md does not name as code (`like this`, or between fences). A module is
/// a header with the source of its name, or a source without a header. A source whose name continues that of
/// a module of its folder (dock_keys.cpp beside dock.h) is a part of this module. For a folder without a
/// README.md those of the folders above it count, but not the project's own.
QVector<GuardFault> unnamedModuleFaults(const QVector<GuardFile> &files, const QVector<GuardFile> &readmes);

} // namespace warpwright
