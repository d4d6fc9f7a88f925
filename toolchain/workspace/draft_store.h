// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// A text that a person typed and has not saved.
struct Draft {
    QString file;        ///< absolute path of what it would be saved to
    QString text;        ///< as in SourceText
    QString baseText;    ///< what was in the file when the typing began
    QByteArray baseHash; ///< and its hash, as in SourceText
    QDateTime time;      ///< of the last change that is in it

    bool operator==(const Draft &) const = default;
};

/// Drafts of one process in one folder. Each is written atomically and reaches the disk before write() comes
/// back. A draft belongs to the process that wrote it: nobody else takes it while that lives. Its functions
/// may be called from any thread, for it keeps nothing but names.
class DraftStore {
public:
    /// `folder` need not exist yet: <workspace's state>/drafts.
    explicit DraftStore(QString folder);

    [[nodiscard]] const QString &folder() const { return m_folder; }
    [[nodiscard]] Result<void> write(const Draft &draft) const;
    /// Ours of that file, and those that its dead owners left.
    void remove(const QString &file) const;
    /// The youngest draft of that file that is ours or whose owner has died.
    [[nodiscard]] std::optional<Draft> find(const QString &file) const;
    /// Of each file the youngest draft whose owner has died, by name. What cannot be read is passed over.
    [[nodiscard]] std::vector<Draft> recoverable() const;

private:
    [[nodiscard]] QString pathFor(const QString &file) const;

    QString m_folder;
    QString m_owner; ///< pid and the time it started at: pids come again
};

} // namespace warpwright
