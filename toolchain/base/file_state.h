// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace warpwright {

/// By what a file, or a folder, is known to be the same as before, without its contents.
struct FileState {
    qint64 device = 0;
    qint64 inode = 0;
    qint64 size = 0;     ///< bytes
    qint64 modified = 0; ///< of the contents; nanoseconds of the system's clock; anybody can set it
    qint64 changed = 0;  ///< the same, of anything about it; cannot be set by hand: whoever writes changes it

    bool operator==(const FileState &) const = default;
};

/// Of what the path leads to, through links. `path`: as QFile::encodeName() gives it. Nothing: it cannot be
/// asked, mostly because it is not there.
[[nodiscard]] std::optional<FileState> fileStateOf(const QByteArray &path);

} // namespace warpwright
