// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/report_file.h"

#include <QFileInfo>

namespace warpwright {
namespace {

QString described(const ReportFile &file) {
    return QStringLiteral("%1 bytes of %2")
        .arg(QString::number(file.bytes),
             file.written.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz 'UTC'")));
}

} // namespace

ReportFile ReportFile::at(const QString &path) {
    const QFileInfo info(path);
    return info.isFile() ? ReportFile{path, info.size(), info.lastModified().toUTC()}
                         : ReportFile{path, 0, {}};
}

QString ReportFile::whyAnother() const {
    const ReportFile now = at(path);
    if (!now.written.isValid())
        return QStringLiteral("it is no longer there");
    if (now.bytes == bytes && now.written == written)
        return {};
    return QStringLiteral("it was written anew after it was read (%1 were read, %2 lie there now)")
        .arg(described(*this), described(now));
}

} // namespace warpwright
