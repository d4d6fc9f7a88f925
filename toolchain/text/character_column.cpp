// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/character_column.h"

#include <algorithm>

namespace warpwright {

int characterColumn(QStringView line, qsizetype column) {
    while (line.endsWith(QLatin1Char('\n')) || line.endsWith(QLatin1Char('\r')))
        line.chop(1);
    const QStringView before = line.left(std::clamp<qsizetype>(column - 1, 0, line.size()));
    const auto seconds =
        std::count_if(before.begin(), before.end(), [](QChar unit) { return unit.isLowSurrogate(); });
    return static_cast<int>(before.size() - seconds) + 1;
}

} // namespace warpwright
