// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/include_graph.h"

#include <QRegularExpression>
#include <QSet>

namespace warpwright {

QVector<IncludeArrow> includeArrows(const QVector<GuardFile> &files) {
    static const QRegularExpression quoted("^\\s*#\\s*include\\s*\"([^\"]+)\"");
    QSet<QString> paths;
    for (const GuardFile &file : files)
        paths.insert(file.path);
    QVector<IncludeArrow> arrows;
    for (const GuardFile &file : files) {
        const QString folder = file.path.left(file.path.lastIndexOf('/') + 1);
        for (qsizetype at = 0; at < file.lines.size(); ++at) {
            // An expression for each of 300,000 lines takes a second.
            if (!file.lines.at(at).contains(QLatin1String("include")))
                continue;
            const auto match = quoted.match(file.lines.at(at));
            if (!match.hasMatch())
                continue;
            const QString name = match.captured(1);
            for (const QString &path : {name, folder + name, "toolchain/" + name})
                if (paths.contains(path)) {
                    arrows.append({file.path, int(at) + 1, path});
                    break;
                }
        }
    }
    return arrows;
}

} // namespace warpwright
