// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/library_guard.h"

#include <QRegularExpression>

namespace warpwright {

QStringList windowLibraries(const QString &lddText) {
    static const QRegularExpression window("^\\s*(lib(Qt6(Widgets|Gui|Svg|PrintSupport|OpenGL|XcbQpa)|"
                                           "qscintilla2|qcustomplot|X11|xcb|E?GL)[^ ]*)");
    QStringList found;
    for (const QString &line : lddText.split('\n'))
        if (const auto match = window.match(line); match.hasMatch())
            found.append(match.captured(1));
    return found;
}

} // namespace warpwright
