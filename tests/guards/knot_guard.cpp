// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/knot_guard.h"

#include "tests/guards/strong_components.h"

#include <QHash>

namespace warpwright {

namespace {

QString roomOf(const QString &path) {
    return path.left(path.lastIndexOf('.'));
}

} // namespace

QVector<GuardFault> knotFaults(const QVector<IncludeArrow> &arrows) {
    QStringList rooms;
    QHash<QString, int> number;
    QVector<QVector<int>> uses;
    const auto numberOf = [&](const QString &room) {
        const auto found = number.constFind(room);
        if (found != number.constEnd())
            return *found;
        rooms.append(room);
        uses.append(QVector<int>());
        return *number.insert(room, int(rooms.size()) - 1);
    };
    for (const IncludeArrow &arrow : arrows) {
        const int from = numberOf(roomOf(arrow.from));
        const int to = numberOf(roomOf(arrow.to));
        if (from != to)
            uses[from].append(to);
    }
    QVector<GuardFault> faults;
    for (const QVector<int> &knot : strongComponents(uses)) {
        QStringList members;
        for (const int room : knot)
            members.append(rooms.at(room));
        members.sort();
        const QString key = members.join(' ');
        faults.append({key, {}, "modules that include each other in a circle: " + key});
    }
    return faults;
}

} // namespace warpwright
