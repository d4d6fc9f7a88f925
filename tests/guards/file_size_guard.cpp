// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/file_size_guard.h"

#include <QRegularExpression>

namespace warpwright {

namespace {
constexpr qsizetype mostLines = 500;
}

bool isSizedSource(const QString &path) {
    static const QRegularExpression source("\\.(h|hpp|cpp|cc|cu|cuh|py|sh|cmake|in)$|(^|/)CMakeLists\\.txt$");
    static const QRegularExpression script("^(packaging|tests/gpu|\\.ci)/([^/]+/)*[^/.]+$");
    return source.match(path).hasMatch() || script.match(path).hasMatch();
}

QStringList fileSizeComplaints(const QVector<GuardFile> &files) {
    QStringList complaints;
    for (const GuardFile &file : files)
        if (file.lines.size() > mostLines)
            complaints.append(
                QString("%1: %2 lines, more than %3").arg(file.path).arg(file.lines.size()).arg(mostLines));
    return complaints;
}

} // namespace warpwright
