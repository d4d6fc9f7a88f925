// SPDX-License-Identifier: GPL-3.0-or-later
// What a guard found, and its list of known violations. A list may only become shorter and its numbers
// smaller: an entry that allows more than there is, is a complaint as well.
#pragma once

#include "tests/guards/guard_file.h"

#include <QMap>

namespace warpwright {

struct GuardFault {
    QString key; ///< how a list calls it: "app/ide/dock.h Dock"; its last word is no number
    QVector<int>
        sizes; ///< how large it is; none where it is either there or not. Of several, the largest first
    QString complaint; ///< one line, for the person who has to fix it
};

struct AllowList {
    struct Entry {
        QVector<int> sizes;
        int line = 0;
    };
    QString path; ///< as complaints call it
    QMap<QString, Entry> entries;
    QStringList unreadable; ///< complaints about its own lines

    /// A line: the key, blanks, the sizes. "#" begins a comment. A file that is not there allows nothing.
    static AllowList read(const QString &root, const QString &path);
    static AllowList parse(const QString &path, const QStringList &lines);
};

/// New faults, larger ones, and lines of the list that allow more than is needed.
QStringList complaintsBeyond(const AllowList &allowed, const QVector<GuardFault> &faults);

/// The list that allows exactly these, sorted; `title` says what they are.
QString allowListText(const QString &title, const QVector<GuardFault> &faults);

} // namespace warpwright
