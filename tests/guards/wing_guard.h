// SPDX-License-Identifier: GPL-3.0-or-later
// Says which includes go against the order of a layer's wings.
#pragma once

#include "tests/guards/allow_list.h"
#include "tests/guards/include_graph.h"

#include <QMap>

namespace warpwright {

/// Which wings there are and what each may use. As a text:
///
///     root: toolchain        the lines below speak of folders in it
///     base: -                uses no other wing
///     history: base process  uses these, and itself
///     command.*: base        the module command in the root itself, which others may use
///     .: *                   what else lies in the root itself uses every wing
///
/// A wing is a folder with all that is below it, except for what is a wing of its own: that it may use only
/// where its line says so. Where a root lies within another, both have a say.
struct WingTable {
    struct Root {
        QString folder;
        QMap<QString, QStringList> uses; ///< "*" is written out

        bool holds(const QString &path) const { return path.startsWith(folder + '/'); }
        /// Of a file that it holds; empty: it is in no wing.
        QString wingOf(const QString &path) const;
    };
    QVector<Root> roots;
    /// Lines that cannot be read, unknown wings, wings that may use each other in a circle.
    QStringList complaints;

    static WingTable parse(const QString &path, const QStringList &lines);
};

/// One fault a file and file that it may not include; keys as "toolchain/base/a.h -> toolchain/check/b.h".
QVector<GuardFault> wingFaults(const WingTable &table, const QVector<IncludeArrow> &arrows);

/// Folders that are in no wing, and wings without a file.
QStringList wingTableComplaints(const WingTable &table, const QVector<GuardFile> &files);

} // namespace warpwright
