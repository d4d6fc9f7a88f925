// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// What came of reaching for a path below a folder.
enum class Reach {
    Ok,
    NotThere,
    Outside, ///< it leaves the folder: "..", an absolute path, a symbolic link on the way
    NoFile,  ///< a folder, a pipe, a device
    TooLarge,
    Failed ///< the system's own words say why
};

struct ReachedFile {
    Reach reach = Reach::Failed;
    QByteArray bytes;
    QString why; ///< one part of a sentence; empty when Ok
};

struct FoundFile {
    QString path;        ///< relative to the folder
    bool isFile = false; ///< false: a symbolic link, a pipe, a device
};

/// Files below a folder whose content others write at the same time, also others that are up to something:
/// no step on the way follows a symbolic link, so nothing outside is read or written through one.
class FolderAccess {
public:
    explicit FolderAccess(QString folder) : m_folder(std::move(folder)) {}

    [[nodiscard]] const QString &folder() const { return m_folder; }
    /// "kernels/a.cu" for "./kernels//a.cu" and for the absolute path of the same; empty: it leaves the
    /// folder, or is the folder itself.
    [[nodiscard]] QString relative(const QString &path) const;

    [[nodiscard]] ReachedFile read(const QString &path, qint64 limitBytes = 64LL * 1024 * 1024) const;
    /// Makes missing folders, writes beside and renames; a link that has the name is replaced.
    [[nodiscard]] ReachedFile write(const QString &path, const QByteArray &bytes) const;
    /// A file or a link; what is not there is Ok.
    [[nodiscard]] ReachedFile remove(const QString &path) const;
    /// Makes room for a file: whatever else bears the name of it or of a folder on the way goes, links and
    /// files for good, a folder under another, hidden name.
    [[nodiscard]] ReachedFile clear(const QString &path) const;
    /// Where a symbolic link points to; empty: it is none.
    [[nodiscard]] QString linkAt(const QString &path) const;

    /// All that is no folder, below `below` (empty: everywhere), sorted. Hidden names only where
    /// `withHidden`. At most `most`, and 40 folders deep.
    [[nodiscard]] std::vector<FoundFile> list(const QString &below, bool withHidden, int most = 20000) const;

private:
    QString m_folder;
};

} // namespace warpwright
