// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/wing_guard.h"

#include "tests/guards/strong_components.h"

#include <QSet>

namespace warpwright {

namespace {

const QString rootItself = ".";
const QString moduleEnding = ".*";
const QString everyWing = "*";
const QString noWing = "-";

void finish(WingTable::Root &root, const QString &path, QStringList &complaints) {
    const QStringList names = root.uses.keys();
    QVector<QVector<int>> arrows;
    for (const QString &name : names) {
        QStringList &used = root.uses[name];
        if (used.contains(everyWing)) {
            used = names;
            used.removeAll(name);
        }
        used.removeAll(noWing);
        arrows.append(QVector<int>());
        for (const QString &other : used)
            if (names.contains(other))
                arrows.last().append(int(names.indexOf(other)));
            else
                complaints.append(QString("%1: %2 may use %3, which has no line in root %4")
                                      .arg(path, name, other, root.folder));
    }
    for (const QVector<int> &circle : strongComponents(arrows)) {
        QStringList members;
        for (const int at : circle)
            members.append(names.at(at));
        complaints.append(QString("%1: root %2: these may use each other in a circle, which is no order: %3")
                              .arg(path, root.folder, members.join(' ')));
    }
}

} // namespace

WingTable WingTable::parse(const QString &path, const QStringList &lines) {
    WingTable table;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        const QString line = lines.at(at).section('#', 0, 0).simplified();
        if (line.isEmpty())
            continue;
        const QString name = line.section(':', 0, 0).trimmed();
        const QStringList words = line.section(':', 1).split(' ', Qt::SkipEmptyParts);
        if (name == "root" && words.size() == 1)
            table.roots.append({words.first(), {}});
        else if (!line.contains(':') || name.isEmpty() || table.roots.isEmpty())
            table.complaints.append(
                QString("%1:%2: expected \"root: FOLDER\", and below it \"WING: WING WING\"")
                    .arg(path)
                    .arg(at + 1));
        else if (table.roots.last().uses.contains(name))
            table.complaints.append(QString("%1:%2: %3 a second time").arg(path).arg(at + 1).arg(name));
        else
            table.roots.last().uses.insert(name, words);
    }
    for (Root &root : table.roots)
        finish(root, path, table.complaints);
    return table;
}

QString WingTable::Root::wingOf(const QString &path) const {
    QString below = path.mid(folder.size() + 1);
    if (!below.contains('/')) {
        const QString module = below.section('.', 0, 0) + moduleEnding;
        if (uses.contains(module))
            return module;
        if (uses.contains(rootItself))
            return rootItself;
    }
    while (below.contains('/')) {
        below.truncate(below.lastIndexOf('/'));
        if (uses.contains(below))
            return below;
    }
    return {};
}

QVector<GuardFault> wingFaults(const WingTable &table, const QVector<IncludeArrow> &arrows) {
    QVector<GuardFault> faults;
    for (const IncludeArrow &arrow : arrows)
        for (const WingTable::Root &root : table.roots) {
            if (!root.holds(arrow.from) || !root.holds(arrow.to))
                continue;
            const QString from = root.wingOf(arrow.from);
            const QString to = root.wingOf(arrow.to);
            if (from.isEmpty() || to.isEmpty() || from == to || root.uses.value(from).contains(to))
                continue;
            faults.append({QString("%1 -> %2").arg(arrow.from, arrow.to),
                           {},
                           QString("%1:%2: includes \"%3\", but in %4 the wing %5 may not use %6")
                               .arg(arrow.from)
                               .arg(arrow.line)
                               .arg(arrow.to, root.folder, from, to)});
        }
    return faults;
}

QStringList wingTableComplaints(const WingTable &table, const QVector<GuardFile> &files) {
    QStringList complaints = table.complaints;
    QSet<QString> homeless;
    QSet<QString> used;
    for (const GuardFile &file : files)
        for (const WingTable::Root &root : table.roots) {
            if (!root.holds(file.path))
                continue;
            const QString wing = root.wingOf(file.path);
            if (wing.isEmpty())
                homeless.insert(QString("%1: this folder is in no wing of root %2")
                                    .arg(file.path.left(file.path.lastIndexOf('/')), root.folder));
            else
                used.insert(root.folder + ": " + wing);
        }
    QStringList folders(homeless.begin(), homeless.end());
    folders.sort();
    complaints += folders;
    for (const WingTable::Root &root : table.roots)
        for (auto wing = root.uses.keyBegin(); wing != root.uses.keyEnd(); ++wing)
            if (!used.contains(root.folder + ": " + *wing))
                complaints.append(QString("root %1: the wing %2 has no file").arg(root.folder, *wing));
    return complaints;
}

} // namespace warpwright
