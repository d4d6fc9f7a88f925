// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/knot_guard.h"

#include "tests/guards/strong_components.h"

#include <QHash>
#include <QMap>
#include <algorithm>

namespace warpwright {

namespace {

QString roomOf(const QString &path) {
    return path.left(path.lastIndexOf('.'));
}

QString partOf(const QStringList &rooms) {
    // Inner ones before those that hold them.
    static const QStringList parts{"agent/playbook", "agent",   "app/cli",           "app/ide",   "app",
                                   "profiler_views", "widgets", "toolchain/referee", "toolchain", "tests"};
    for (const QString &part : parts)
        if (std::all_of(rooms.begin(), rooms.end(),
                        [&part](const QString &room) { return room.startsWith(part + '/'); }))
            return part;
    return ".";
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
    QMap<QString, GuardFault> faults;
    for (const QVector<int> &knot : strongComponents(uses)) {
        QStringList members;
        for (const int room : knot)
            members.append(rooms.at(room));
        members.sort();
        const QString part = partOf(members);
        GuardFault &fault = faults[part];
        if (fault.key.isEmpty())
            fault = {part, {}, part + ": rooms that include each other in a circle:"};
        fault.sizes.append(int(knot.size()));
        fault.complaint += QString(" [%1] %2;").arg(knot.size()).arg(members.join(' '));
    }
    return faults.values();
}

} // namespace warpwright
