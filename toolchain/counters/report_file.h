// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

namespace warpwright {

/// Which file a report was read from. `ncu -f` writes another one under the same name: numbers that were read
/// before are not of that one. Told by the file's size and the time of its last write.
struct ReportFile {
    QString path; ///< absolute
    qint64 bytes = 0;
    QDateTime written; ///< UTC; not valid: it was not there

    /// As it lies there now. Asks the disk.
    [[nodiscard]] static ReportFile at(const QString &path);
    /// Why what lies there now is not this file, as a part of a sentence: "it is no longer there". Empty: it
    /// is this one. Asks the disk.
    [[nodiscard]] QString whyAnother() const;
};

} // namespace warpwright
