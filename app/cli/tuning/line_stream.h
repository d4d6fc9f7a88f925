// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace warpwright {

/// Text that comes in pieces, as lines for a terminal: each as soon as it is whole, broken at blanks where it
/// is longer than there is room. Blank lines at the beginning and the end are left out.
class LineStream {
public:
    /// Characters that a line may have; of the first one, that may stand behind a name.
    LineStream(int room, int roomOfFirst) : m_room(room), m_roomOfFirst(roomOfFirst) {}

    /// The lines that are whole now.
    [[nodiscard]] QStringList take(const QString &piece);
    /// What is left at the end.
    [[nodiscard]] QStringList finish();
    /// All that was taken.
    [[nodiscard]] const QString &text() const { return m_text; }
    [[nodiscard]] bool hasBegun() const { return m_hasBegun; } ///< it has given a line

private:
    void add(QStringList &lines, const QString &line);

    int m_room;
    int m_roomOfFirst;
    QString m_text;
    QString m_pending;
    qsizetype m_blanks = 0; ///< lines that count once another one follows
    bool m_hasBegun = false;
};

} // namespace warpwright
