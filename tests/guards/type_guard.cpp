// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/type_guard.h"

#include <QHash>

namespace warpwright {

QStringList typesDefinedTwice(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines) {
    QStringList complaints;
    QHash<QString, QString> firsts;
    for (qsizetype at = 0; at < files.size(); ++at) {
        if (!files.at(at).path.endsWith(".h"))
            continue;
        for (const CppOutline::Class &one : outlines.at(at).classes) {
            if (files.at(at).lines.value(one.line - 1).startsWith("template <>"))
                continue;
            const QString place = QString("%1:%2").arg(files.at(at).path).arg(one.line);
            const auto first = firsts.constFind(one.name);
            if (first == firsts.constEnd())
                firsts.insert(one.name, place);
            else
                complaints.append(
                    QString("%1: %2 is defined in %3 too: rename one of them").arg(place, one.name, *first));
        }
    }
    return complaints;
}

} // namespace warpwright
