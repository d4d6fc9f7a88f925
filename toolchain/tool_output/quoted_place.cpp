// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/quoted_place.h"

#include "toolchain/text/character_column.h"

#include <QRegularExpression>

#include <cstdlib>

namespace warpwright {

QuotedPlace quotedPlace(const QString &message, const QString &line, int column) {
    const QuotedPlace told{column, 0};
    if (column < 1)
        return told; // it means the whole line
    // nvcc quotes with ", gcc and clang with single quotes of either kind.
    static const QRegularExpression quoted(QStringLiteral("[\"'\u2018]([A-Za-z_]\\w*)[\"'\u2019]"));
    QuotedPlace best = told;
    int nearest = -1;
    for (auto match = quoted.globalMatch(message); match.hasNext();) {
        const QString name = match.next().captured(1);
        const QRegularExpression whole(QStringLiteral("\\b%1\\b").arg(name));
        for (auto found = whole.globalMatch(line); found.hasNext();) {
            const int from = static_cast<int>(found.next().capturedStart()) + 1;
            const int distance = std::abs(from - column);
            if (nearest >= 0 && distance >= nearest)
                continue;
            nearest = distance;
            const int character = characterColumn(line, from);
            best = {character, character + static_cast<int>(name.size())};
        }
        if (nearest >= 0)
            return best; // the first name that is there is what the message is about
    }
    return best;
}

} // namespace warpwright
