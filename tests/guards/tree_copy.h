// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of folders of the source tree, in which something is added, and what that has touched.
#pragma once

#include "tests/guards/guard_file.h"

#include <QTemporaryDir>

namespace warpwright {

class TreeCopy {
public:
    /// Copies these folders of the tree, with all that is in them; paths below are from the tree's root.
    explicit TreeCopy(const QStringList &folders);

    QString path() const { return m_folder.path(); }

    /// A new file.
    void write(const QString &path, const QString &text);
    /// A line before the first one behind the line that begins with `head` that begins with `before`.
    void insertBefore(const QString &path, const QString &head, const QString &before, const QString &line);
    /// A line into a sorted list: the lines behind `head` that begin as `line` does, in its first `prefix`
    /// characters.
    void insertSorted(const QString &path, const QString &head, int prefix, const QString &line);

    /// What could not be done, a sentence each.
    QStringList complaints() const { return m_complaints; }
    /// Files that the tree has and that differ from it now, sorted.
    QStringList touched() const;
    /// Compiles sources of the copy, at once and without making code, by the flags that compile_commands.json
    /// in `buildFolder` has for `like` (a source of the tree). What the compilers say; empty: all is well.
    QStringList compile(const QStringList &sources, const QString &like, const QString &buildFolder) const;

private:
    QStringList linesOf(const QString &path, const QString &head, qsizetype &behind);
    void insert(const QString &path, QStringList lines, qsizetype at, const QString &line);

    QTemporaryDir m_folder;
    QStringList m_copied;
    QStringList m_complaints;
};

} // namespace warpwright
