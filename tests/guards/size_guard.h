// SPDX-License-Identifier: GPL-3.0-or-later
// Says which folders, files, classes and functions have grown too large.
#pragma once

#include "tests/guards/allow_list.h"
#include "tests/guards/cpp_outline.h"
#include "tests/guards/include_graph.h"

namespace warpwright {

/// Code and scripts of any language; data and documents are not meant.
bool isSizedSource(const QString &path);

/// One line a complaint: "app/cli/main.cpp: 612 lines, more than 500".
QStringList fileSizeComplaints(const QVector<GuardFile> &files);

/// Over 60 C++ files in one folder, without those in folders below it.
QVector<GuardFault> folderFaults(const QVector<GuardFile> &files);

/// One of `outlines` a file, in the order of `files`.
QVector<CppOutline> outlinesOf(const QVector<GuardFile> &files);

/// Functions of over 80 lines, counted from their first word to the closing brace, comments and blank lines
/// within included; and lambdas of as many in a value outside of functions, as "name[]". Of several of one
/// name in a file the key has the lines of each.
QVector<GuardFault> functionFaults(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines);

/// Classes of over 600 lines in all their files: the lines of the class itself, with all that is written
/// inside its braces, and those of its members' definitions elsewhere ("X::f(...) {...}"), each from its
/// first word to the closing brace. Comments above a definition are not counted, nor are members of a class
/// within the class, which is counted by itself. Of classes of one name a definition belongs to that of its
/// own file, or of a header that its file includes.
QVector<GuardFault> classFaults(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines,
                                const QVector<IncludeArrow> &arrows);

/// "app/a.h:3: the macro A has 21 lines, more than 20": no function's size would show them.
QStringList macroComplaints(const QVector<GuardFile> &files);

/// Files whose braces do not match: their sizes are not known.
QStringList outlineComplaints(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines);

} // namespace warpwright
