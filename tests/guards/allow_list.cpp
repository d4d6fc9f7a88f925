// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/allow_list.h"

#include <QDir>
#include <QFile>
#include <algorithm>

namespace warpwright {

namespace {

QString entryText(const QString &key, const QVector<int> &sizes) {
    QString text = key;
    for (const int size : sizes)
        text += QString(" %1").arg(size);
    return text;
}

bool isWithin(const QVector<int> &sizes, const QVector<int> &allowed) {
    if (sizes.size() > allowed.size())
        return false;
    for (qsizetype at = 0; at < sizes.size(); ++at)
        if (sizes.at(at) > allowed.at(at))
            return false;
    return true;
}

} // namespace

AllowList AllowList::read(const QString &root, const QString &path) {
    QFile file(QDir(root).filePath(path));
    if (!file.open(QIODevice::ReadOnly))
        return parse(path, {});
    return parse(path, QString::fromUtf8(file.readAll()).split('\n'));
}

AllowList AllowList::parse(const QString &path, const QStringList &lines) {
    AllowList list;
    list.path = path;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        QStringList words = lines.at(at).section('#', 0, 0).simplified().split(' ', Qt::SkipEmptyParts);
        if (words.isEmpty())
            continue;
        Entry entry{{}, int(at) + 1};
        bool isNumber = true;
        while (words.size() > 1) {
            const int size = words.last().toInt(&isNumber);
            if (!isNumber)
                break;
            entry.sizes.prepend(size);
            words.removeLast();
        }
        const QString key = words.join(' ');
        if (list.entries.contains(key))
            list.unreadable.append(QString("%1:%2: \"%3\" a second time").arg(path).arg(at + 1).arg(key));
        list.entries.insert(key, entry);
    }
    return list;
}

QStringList complaintsBeyond(const AllowList &allowed, const QVector<GuardFault> &faults) {
    QStringList complaints = allowed.unreadable;
    QMap<QString, AllowList::Entry> unused = allowed.entries;
    for (const GuardFault &fault : faults) {
        const auto entry = allowed.entries.constFind(fault.key);
        unused.remove(fault.key);
        if (entry == allowed.entries.constEnd())
            complaints.append(fault.complaint);
        else if (!isWithin(fault.sizes, entry->sizes))
            complaints.append(QString("%1 (%2:%3 allows no more than \"%4\")")
                                  .arg(fault.complaint, allowed.path)
                                  .arg(entry->line)
                                  .arg(entryText(fault.key, entry->sizes)));
        else if (fault.sizes != entry->sizes)
            complaints.append(QString("%1:%2: allows more than there is: write \"%3\"")
                                  .arg(allowed.path)
                                  .arg(entry->line)
                                  .arg(entryText(fault.key, fault.sizes)));
    }
    for (auto entry = unused.constBegin(); entry != unused.constEnd(); ++entry)
        complaints.append(QString("%1:%2: no longer needed: delete the line \"%3\"")
                              .arg(allowed.path)
                              .arg(entry->line)
                              .arg(entryText(entry.key(), entry->sizes)));
    return complaints;
}

QString allowListText(const QString &title, const QVector<GuardFault> &faults) {
    QStringList lines;
    for (const GuardFault &fault : faults)
        lines.append(entryText(fault.key, fault.sizes));
    std::sort(lines.begin(), lines.end());
    lines.removeDuplicates();
    lines.prepend("# " + title + " This list may only become shorter, see README.md.");
    lines.prepend("# SPDX-License-Identifier: GPL-3.0-or-later");
    return lines.join('\n') + '\n';
}

} // namespace warpwright
