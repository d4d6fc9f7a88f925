// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/include_graph.h"

#include "tests/guards/include_lines.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>

namespace warpwright {

namespace {

/// What cmake/embed.cmake makes of a template: X/templates/Y.cu.in is included as X/templates/Y.h.
QString headerOfTemplate(const QString &path) {
    static const QRegularExpression text("^(.*/templates/[^/]+)\\.[a-z]+\\.in$");
    const auto match = text.match(path);
    return match.hasMatch() ? match.captured(1) + ".h" : QString();
}

} // namespace

QVector<IncludeArrow> includeArrows(const QVector<GuardFile> &files) {
    QSet<QString> paths;
    for (const GuardFile &file : files) {
        paths.insert(file.path);
        paths.insert(headerOfTemplate(file.path));
    }
    paths.remove(QString());
    QVector<IncludeArrow> arrows;
    for (const GuardFile &file : files) {
        if (!headerOfTemplate(file.path).isEmpty())
            continue;
        const QString folder = file.path.left(file.path.lastIndexOf('/') + 1);
        for (const IncludeLine &include : includeLines(file))
            for (const QString &name : {include.name, folder + include.name, "toolchain/" + include.name})
                if (const QString path = QDir::cleanPath(name); paths.contains(path)) {
                    arrows.append({file.path, include.line, path});
                    break;
                }
    }
    return arrows;
}

} // namespace warpwright
