// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/document_guard.h"

#include "tests/guards/markdown_text.h"
#include "tests/guards/size_guard.h"

#include <QMap>
#include <QRegularExpression>

namespace warpwright {

namespace {

constexpr qsizetype mostLines = 300;
constexpr qsizetype mostCharacters = 160;
const QString notebook = QStringLiteral("docs/notebook/");

QStringList complaintsOf(const GuardFile &document) {
    QStringList complaints;
    if (document.lines.size() > mostLines)
        complaints.append(QString("%1: %2 lines, more than %3")
                              .arg(document.path)
                              .arg(document.lines.size())
                              .arg(mostLines));
    for (qsizetype at = 0; at < document.lines.size(); ++at)
        if (document.lines[at].size() > mostCharacters)
            complaints.append(QString("%1:%2: %3 characters, more than %4")
                                  .arg(document.path)
                                  .arg(at + 1)
                                  .arg(document.lines[at].size())
                                  .arg(mostCharacters));
    return complaints;
}

} // namespace

bool isDocument(const QString &path) {
    return isMarkdown(path) && !path.startsWith(notebook);
}

QStringList documentComplaints(const QVector<GuardFile> &documents) {
    QStringList complaints;
    for (const GuardFile &document : documents)
        complaints += complaintsOf(document);
    return complaints;
}

bool citesNotebook(const QString &path) {
    const bool isDeviceRow = path.startsWith("resources/playbook/devices/");
    return isMarkdown(path) || isSizedSource(path) || isDeviceRow;
}

QStringList notebookComplaints(const QVector<GuardFile> &files) {
    static const QRegularExpression cited("notebook/(\\d{4}-\\d\\d-\\d\\d\\.md)(#[\\w-]+)?",
                                          QRegularExpression::UseUnicodePropertiesOption);
    QStringList complaints;
    QMap<QString, QStringList> entries;
    for (const GuardFile &file : files) {
        if (!file.path.startsWith(notebook))
            continue;
        QStringList &anchors = entries[file.path.mid(notebook.size())];
        const QStringList lines = proseLines(file.lines);
        for (qsizetype at = 0; at < lines.size(); ++at) {
            if (!lines[at].startsWith("## "))
                continue;
            const QString anchor = '#' + anchorOf(lines[at].mid(3));
            if (anchors.contains(anchor))
                complaints.append(QString("%1:%2: a second entry %3").arg(file.path).arg(at + 1).arg(anchor));
            anchors << anchor;
        }
    }
    for (const GuardFile &file : files)
        for (qsizetype at = 0; at < file.lines.size(); ++at) {
            if (!file.lines[at].contains("notebook/")) // quicker than the pattern
                continue;
            for (auto found = cited.globalMatch(file.lines[at]); found.hasNext();) {
                const QRegularExpressionMatch match = found.next();
                const QString day = match.captured(1);
                const QString anchor = match.captured(2);
                const QString place = QString("%1:%2: ").arg(file.path).arg(at + 1);
                if (!entries.contains(day))
                    complaints.append(place + "there is no " + notebook + day);
                else if (anchor.isEmpty() && !isMarkdown(file.path))
                    complaints.append(place + "names no entry of " + notebook + day);
                else if (!anchor.isEmpty() && !entries[day].contains(anchor))
                    complaints.append(place + notebook + day + " has no entry " + anchor);
            }
        }
    return complaints;
}

} // namespace warpwright
