// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/tab_names.h"

#include <QFontMetrics>

#include <algorithm>

namespace warpwright {
namespace {

constexpr QChar dots(0x2026);
constexpr qsizetype beginning = 3; ///< a letter of it tells less than one of the end: most begin alike
constexpr qsizetype leastHead = 4; ///< of less nobody reads the name
constexpr qsizetype leastKept = 8; ///< of the whole name

/// Where an end may begin, from the suffix on backwards.
std::vector<qsizetype> endsOf(const QString &name) {
    std::vector<qsizetype> lengths;
    const qsizetype suffix = name.lastIndexOf(u'.');
    for (qsizetype at = suffix < 0 ? name.size() : suffix; at > 0; --at)
        if (at == name.size() || QStringLiteral("._-/").contains(name[at]))
            lengths.push_back(name.size() - at);
    return lengths;
}

bool isAlone(const QStringList &names, qsizetype own, const TellingName &form) {
    const QStringView name(names[own]);
    for (qsizetype other = 0; other < names.size(); ++other) {
        const QStringView against(names[other]);
        if (other != own && against.size() >= form.head + form.tail &&
            against.startsWith(name.left(form.head)) && against.endsWith(name.right(form.tail)))
            return false;
    }
    return true;
}

} // namespace

std::vector<TellingName> tellingNames(const QStringList &names) {
    std::vector<TellingName> forms;
    for (qsizetype own = 0; own < names.size(); ++own) {
        const qsizetype whole = names[own].size();
        TellingName best{whole, 0};
        for (const qsizetype tail : endsOf(names[own]))
            for (qsizetype head = std::max(leastHead, leastKept - tail);
                 head + tail + 1 < whole && beginning * head + tail < beginning * best.head + best.tail;
                 ++head)
                if (isAlone(names, own, {head, tail})) {
                    best = {head, tail};
                    break;
                }
        forms.push_back(best);
    }
    return forms;
}

QString shortenedName(const QString &name, const TellingName &least, const QFontMetrics &metrics, int room) {
    if (metrics.horizontalAdvance(name) <= room || least.head + least.tail >= name.size())
        return name;
    const QString tail = name.right(least.tail);
    const auto with = [&](qsizetype head) {
        return QString(name.left(head) + dots + tail);
    };
    // More of its beginning takes more room.
    qsizetype fits = least.head;
    qsizetype tooLong = room > 0 ? name.size() - least.tail : least.head + 1;
    while (tooLong - fits > 1) {
        const qsizetype head = (fits + tooLong) / 2;
        (metrics.horizontalAdvance(with(head)) <= room ? fits : tooLong) = head;
    }
    return with(fits);
}

} // namespace warpwright
