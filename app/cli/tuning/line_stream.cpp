// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/line_stream.h"

#include <algorithm>

namespace warpwright {

QStringList LineStream::take(const QString &piece) {
    m_text += piece;
    m_pending += piece;
    QStringList lines;
    for (;;) {
        const qsizetype room = m_hasBegun ? m_room : m_roomOfFirst;
        const qsizetype line = m_pending.indexOf(QLatin1Char('\n'));
        if (line >= 0 && line <= room) {
            add(lines, m_pending.left(line));
            m_pending.remove(0, line + 1);
            continue;
        }
        if (m_pending.size() <= room)
            return lines;
        qsizetype cut = m_pending.lastIndexOf(QLatin1Char(' '), room);
        // A word that is longer than the room has a line of its own.
        for (qsizetype i = std::max<qsizetype>(room, 0); cut <= 0 && i < m_pending.size(); ++i)
            if (m_pending.at(i).isSpace())
                cut = i;
        if (cut <= 0)
            return lines;
        add(lines, m_pending.left(cut));
        m_pending.remove(0, cut + 1);
    }
}

QStringList LineStream::finish() {
    QStringList lines = take(QStringLiteral("\n"));
    m_text.chop(1);
    m_blanks = 0;
    return lines;
}

void LineStream::add(QStringList &lines, const QString &line) {
    if (line.trimmed().isEmpty()) {
        m_blanks += m_hasBegun ? 1 : 0;
        return;
    }
    for (; m_blanks > 0; --m_blanks)
        lines << QString();
    lines << line;
    m_hasBegun = true;
}

} // namespace warpwright
