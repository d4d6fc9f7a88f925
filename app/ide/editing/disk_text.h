// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/text/source_text.h"
#include "widgets/editor/undo_base.h"

#include <optional>

namespace warpwright {

/// What has become of an open file on disk, beside what is in its editor. Functions for the pool.
struct DiskNews {
    enum class Kind {
        Same,
        Gone,     ///< deleted, or moved away
        Reload,   ///< nobody typed: the editor takes the new text
        Merged,   ///< both sides changed, in different places
        Conflict, ///< both sides changed the same lines, or the file is no text any more
        Unreadable,
    };

    Kind kind = Kind::Same;
    bool isWritable = true;
    QString message; ///< why it is unreadable
    QString movedTo; ///< of Gone: the file's new name in its folder, when it is there
    SourceText disk; ///< of all kinds but Same, Gone, Unreadable
    QString merged;  ///< of a Conflict with both sides marked
    std::vector<LineEdit>
        edits;     ///< that bring the editor from `mine` to what it should show; none of a Conflict
    OwnChange own; ///< of Merged: what of that is not the disk's
};

/// Names a file beyond its path: it is still the same after a move. 0: there is none.
[[nodiscard]] quint64 fileIdentity(const QString &path);

struct DiskQuestion {
    QString path;
    quint64 identity = 0;
    SourceText known; ///< what the file held when it was last looked at
    QString mine;     ///< what is in the editor
    bool isDirty = false;
};

[[nodiscard]] DiskNews lookAtDisk(const DiskQuestion &question);

struct SaveAnswer {
    bool isSaved = false;
    bool hasDiskChanged = false; ///< nothing was written: look at the disk first
    QString message;
    QByteArray hash;
    quint64 identity = 0;
};

/// Writes `source` unless the file holds something else than `knownHash` (empty: overwrites whatever is
/// there).
[[nodiscard]] SaveAnswer saveToDisk(const QString &path, const SourceText &source,
                                    const QByteArray &knownHash);

} // namespace warpwright
