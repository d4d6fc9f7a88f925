// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>

namespace warpwright {

/// Whole files in, whole files out, with a message that a person can act on.
/// A folder, a pipe or a file over `limitBytes` is an error, not an endless read.
[[nodiscard]] Result<QByteArray> readTextFile(const QString &path, qint64 limitBytes = 64LL * 1024 * 1024);

/// Makes the missing parent folders, writes a hidden file beside `path`, syncs and renames: readers see the
/// old or the new text, never half. The rights stay, a link stays a link. What a killed process leaves is not
/// seen by readers of the folder, and the next write to `path` an hour later removes it.
[[nodiscard]] Result<void> writeFileAtomically(const QString &path, const QByteArray &bytes);

/// Like `mkdir -p`.
[[nodiscard]] Result<void> makeFolder(const QString &path);

/// `path` itself where it is a folder, else the nearest one above it that is there.
[[nodiscard]] QString nearestFolder(const QString &path);

/// What to do about a full disk, as one sentence; empty for any other reason.
[[nodiscard]] QString adviceForFullDisk(const QString &folder, const QString &reason);

} // namespace warpwright
