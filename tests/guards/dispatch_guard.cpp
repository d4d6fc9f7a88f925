// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/dispatch_guard.h"

#include "tests/guards/code_text.h"

#include <algorithm>

namespace warpwright {

DispatchTable DispatchTable::parse(const QString &path, const QStringList &lines) {
    DispatchTable table;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        const QString line = lines.at(at).trimmed();
        if (line.isEmpty() || line.startsWith('#'))
            continue;
        const Row row{line.section(' ', 0, 0), line.section(' ', 1, 1),
                      QRegularExpression(line.section(' ', 2))};
        if (row.pattern.pattern().isEmpty() || !row.pattern.isValid())
            table.complaints.append(QString("%1:%2: expected \"NAME FOLDER PATTERN\"").arg(path).arg(at + 1));
        else
            table.rows.append(row);
    }
    return table;
}

QVector<GuardFault> dispatchFaults(const DispatchTable &table, const QVector<GuardFile> &files) {
    QVector<GuardFault> faults;
    for (const GuardFile &file : files) {
        QStringList code; // made where a row asks for it
        for (const DispatchTable::Row &row : table.rows) {
            if (!file.path.startsWith(row.folder + '/'))
                continue;
            if (code.isEmpty())
                code = codeText(file.lines).split('\n');
            int count = 0;
            QString place;
            for (qsizetype at = 0; at < code.size(); ++at)
                for (auto found = row.pattern.globalMatch(code.at(at)); found.hasNext();) {
                    const QString what = found.next().captured();
                    if (++count == 1)
                        place = QString("%1:%2: tells apart what %3 is (%4)")
                                    .arg(file.path)
                                    .arg(at + 1)
                                    .arg(row.name, what);
                }
            if (count > 0)
                faults.append(
                    {file.path + ' ' + row.name,
                     {count},
                     QString("%1, in %2 places: ask a function of it or of a template's row, so that a new "
                             "one has few files to touch")
                         .arg(place)
                         .arg(count)});
        }
    }
    return faults;
}

QStringList dispatchTableComplaints(const DispatchTable &table, const QVector<GuardFault> &faults) {
    QStringList complaints = table.complaints;
    for (const DispatchTable::Row &row : table.rows)
        if (std::none_of(faults.begin(), faults.end(),
                         [&row](const GuardFault &fault) { return fault.key.endsWith(' ' + row.name); }))
            complaints.append(QString("%1: its pattern is nowhere in %2: let it follow the code")
                                  .arg(row.name, row.folder));
    return complaints;
}

} // namespace warpwright
