// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/markdown_text.h"

#include <QHash>
#include <QRegularExpression>

namespace warpwright {

bool isMarkdown(const QString &path) {
    return path.endsWith(QStringLiteral(".md"));
}

QStringList proseLines(const QStringList &lines) {
    static const QRegularExpression fence("^\\s*(```+|~~~+)(.*)$");
    QStringList prose;
    QString open; // the signs that opened the code
    for (const QString &line : lines) {
        const auto match = fence.match(line);
        const QString signs = match.captured(1);
        if (open.isEmpty()) {
            // A line that ends what it begins is code within a sentence.
            const bool opens =
                match.hasMatch() && !(signs.startsWith('`') && match.captured(2).contains('`'));
            open = opens ? signs : QString();
            prose.append(opens ? QString() : line);
            continue;
        }
        prose.append(QString());
        if (signs.startsWith(open) && match.captured(2).trimmed().isEmpty())
            open.clear();
    }
    return prose;
}

QString anchorOf(const QString &heading) {
    static const QRegularExpression link("\\[([^\\]]*)\\]\\([^)]*\\)");
    static const QRegularExpression left("[^\\w\\s-]", QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression space("\\s");
    return QString(heading).replace(link, "\\1").trimmed().toLower().remove(left).replace(space, "-");
}

QSet<QString> anchorsIn(const QStringList &lines) {
    static const QRegularExpression heading("^#{1,6} +(.*?)( +#+)? *$");
    static const QRegularExpression named("<a\\s+(?:id|name)=\"([^\"]+)\"");
    QSet<QString> anchors;
    QHash<QString, int> counts;
    for (const QString &line : proseLines(lines)) {
        if (const auto match = heading.match(line); match.hasMatch()) {
            const QString anchor = anchorOf(match.captured(1));
            const int before = counts[anchor]++;
            anchors.insert(before == 0 ? anchor : QString("%1-%2").arg(anchor).arg(before));
        }
        for (auto found = named.globalMatch(line); found.hasNext();)
            anchors.insert(found.next().captured(1));
    }
    return anchors;
}

} // namespace warpwright
