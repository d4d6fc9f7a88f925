// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/type_guard.h"

#include <QHash>

namespace warpwright {

QStringList typesDefinedTwice(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines) {
    QStringList complaints;
    QHash<QString, QString> firsts;
    for (qsizetype at = 0; at < files.size(); ++at) {
        const QString &path = files.at(at).path;
        for (const CppOutline::Class &one : outlines.at(at).classes + outlines.at(at).enums) {
            if (one.isSpecialization || one.isInUnnamed)
                continue;
            const QString place = QString("%1:%2").arg(path).arg(one.line);
            const auto first = firsts.constFind(one.name);
            if (first == firsts.constEnd())
                firsts.insert(one.name, place);
            else if (!first->startsWith(path + ':')) // in one file they are branches of #if
                complaints.append(
                    QString("%1: %2 is defined in %3 too: rename one of them").arg(place, one.name, *first));
        }
    }
    return complaints;
}

} // namespace warpwright
