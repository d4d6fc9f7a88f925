// SPDX-License-Identifier: GPL-3.0-or-later
// Says which files stand in no list: of the build, and of the rooms of a folder.
#pragma once

#include "tests/guards/allow_list.h"
#include "tests/guards/cmake_sources.h"

namespace warpwright {

/// Headers that are in no FILE_SET, so that the build never compiles them alone, and sources that no list
/// names; the judge's have to be in its build.json. What is no library has no FILE_SET: the judge, and
/// headers beside a source that only a program is made of.
QVector<GuardFault> unlistedFaults(const QVector<GuardFile> &files, const CMakeSources &sources);

/// Rooms that their folder's README.md does not name as code (`like this`, or between fences). A room is a
/// header with the source of its name, or a source without a header. A source whose name goes on where that
/// of a room of its folder ends (dock_keys.cpp beside dock.h) is a part of this room. A folder without a
/// README.md is read about in any above it, but not in the first one of the house.
QVector<GuardFault> unnamedRoomFaults(const QVector<GuardFile> &files, const QVector<GuardFile> &readmes);

} // namespace warpwright
