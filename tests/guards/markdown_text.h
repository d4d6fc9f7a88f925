// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown as the guards of documents see it: prose without code, and the anchors of headings.
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

namespace warpwright {

bool isMarkdown(const QString &path);

/// Fenced lines are empty; every other line stays where it was.
QStringList proseLines(const QStringList &lines);

/// As GitHub makes them: "A/A of the `quick` tier" is aa-of-the-quick-tier.
QString anchorOf(const QString &heading);

/// Of all headings, and of <a id="...">. A second heading of one text has "-1" behind its anchor.
QSet<QString> anchorsIn(const QStringList &lines);

} // namespace warpwright
