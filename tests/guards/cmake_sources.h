// SPDX-License-Identifier: GPL-3.0-or-later
// Which C++ files the lists of CMake name.
#pragma once

#include "tests/guards/guard_file.h"

#include <QSet>

namespace warpwright {

struct CMakeCommand {
    struct Argument {
        QString text;
        int line = 0;
    };
    QString name;
    QVector<Argument> arguments; ///< without quotes; brackets within them are arguments of their own

    /// Comments are left out, also those in brackets.
    static QVector<CMakeCommand> parse(const QStringList &lines);
};

struct CMakeSources {
    QSet<QString> listed;      ///< paths of files that a target takes, by itself or through a variable
    QSet<QString> ofLibraries; ///< of these: not by add_executable alone
    QSet<QString> headers;     ///< of these: in a FILE_SET, or in a variable that one takes
    QSet<QString> ofReferee;   ///< of these: in the judge's build.json
    QStringList missing;       ///< complaints: names in build.json that are no file
    QStringList misplaced;     ///< complaints: sources in a FILE_SET of headers, where nothing compiles them
    QStringList repeated;      ///< complaints: sources that two libraries take, two programs, or one twice
    QStringList unadded;       ///< complaints: a CMakeLists.txt that no other one adds
    QStringList unsorted;      ///< complaints: where a list of files is not in the order of their bytes

    /// Of `lists` (CMakeLists.txt and *.cmake) and, as far as `listed` and `ofReferee` go, the judge's
    /// build.json. A name is looked for among `paths`: from the list's folder, or from one above it, for a
    /// list may be included from there.
    static CMakeSources of(const QVector<GuardFile> &lists, const QSet<QString> &paths);
};

} // namespace warpwright
