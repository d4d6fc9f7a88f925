// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/knot_guard.h"

#include "tests/guards/strong_components.h"

#include <QHash>

namespace warpwright {

namespace {

QString moduleOf(const QString &path) {
    return path.left(path.lastIndexOf('.'));
}

} // namespace

QVector<GuardFault> knotFaults(const QVector<IncludeArrow> &arrows) {
    QStringList modules;
    QHash<QString, int> number;
    QVector<QVector<int>> uses;
    const auto numberOf = [&](const QString &module) {
        const auto found = number.constFind(module);
        if (found != number.constEnd())
            return *found;
        modules.append(module);
        uses.append(QVector<int>());
        return *number.insert(module, int(modules.size()) - 1);
    };
    for (const IncludeArrow &arrow : arrows) {
        const int from = numberOf(moduleOf(arrow.from));
        const int to = numberOf(moduleOf(arrow.to));
        if (from != to)
            uses[from].append(to);
    }
    QVector<GuardFault> faults;
    for (const QVector<int> &knot : strongComponents(uses)) {
        QStringList members;
        for (const int module : knot)
            members.append(modules.at(module));
        members.sort();
        const QString key = members.join(' ');
        faults.append({key, {}, "modules that include each other in a circle: " + key});
    }
    return faults;
}

} // namespace warpwright
