// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QFont>
#include <QRect>

class QFontMetrics;
class QPainter;

namespace warpwright {

class Look;

/// Some words of the table, and the room that they have.
struct HunkTablePiece {
    QRect room;
    QString text;
    const char *ink = "text.primary"; ///< a token
    QFont::Weight weight = QFont::Normal;
    bool isTitle = false; ///< it ends in dots where it is too long
};

/// The table on a proposal's card: what each hunk does to the time, alone and left out. Where the pane is
/// narrow the figures stand below the hunk's title, in large text each on a line of its own. A hunk that has
/// none says why once, behind its title; where all have none for one reason the head of the table says it.
class HunkTable {
public:
    explicit HunkTable(const Look &look) : m_look(look) {}

    void setHunks(const std::vector<ProposalView::Hunk> &hunks, const QString &unit);
    /// For this width and the look of now.
    void layOut(int width);
    [[nodiscard]] int height() const;
    /// The hunk at `y` from the table's top; -1: none.
    [[nodiscard]] int hunkAt(int y) const;
    void draw(QPainter &painter, int top, int hovered) const;

    /// What is written, from the table's top.
    [[nodiscard]] std::vector<HunkTablePiece> headPieces() const;
    [[nodiscard]] std::vector<HunkTablePiece> rowPieces(int hunk) const;

private:
    enum class Columns { Beside, Below, Listed }; ///< where the figures of a hunk stand

    [[nodiscard]] QFontMetrics metrics() const;
    [[nodiscard]] int right() const;      ///< of the second column
    [[nodiscard]] int aloneRight() const; ///< of the first
    [[nodiscard]] int titleLeft(const ProposalView::Hunk &hunk) const;
    [[nodiscard]] QString reasonOf(const ProposalView::Hunk &hunk) const;
    [[nodiscard]] int linesOf(const ProposalView::Hunk &hunk) const;
    void addFigure(std::vector<HunkTablePiece> &pieces, const ShownFigure &figure, int until, int y) const;

    const Look &m_look;
    std::vector<ProposalView::Hunk> m_hunks;
    QString m_unit;
    QString m_head;          ///< over the titles
    QString m_reason;        ///< of all hunks, told by the head
    std::vector<int> m_tops; ///< of the rows, and the end of the last
    Columns m_columns = Columns::Beside;
    bool m_hasFigures = false;
    int m_width = 0;
    int m_column = 0; ///< how wide
};

} // namespace warpwright
