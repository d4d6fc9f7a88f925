// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QFontMetrics;

namespace warpwright {

/// How much of a name's beginning and end tells it from all others: what stands between may be left out. Ends
/// begin where a word of the name does, and hold its suffix. Of no name so little is left that it is no
/// longer read.
struct TellingName {
    qsizetype head = 0;
    qsizetype tail = 0;

    bool operator==(const TellingName &) const = default;
};

/// Of each name the shortest; of one that is there twice the whole of it. No two of them read alike, whatever
/// more of their beginnings is shown.
[[nodiscard]] std::vector<TellingName> tellingNames(const QStringList &names);

/// The name as it fits into `room` pixels: whole, or with as much of its beginning as there is room for, but
/// never less than tells it: «softm….cpp», «soft…_binding.cpp».
[[nodiscard]] QString shortenedName(const QString &name, const TellingName &least,
                                    const QFontMetrics &metrics, int room);

} // namespace warpwright
