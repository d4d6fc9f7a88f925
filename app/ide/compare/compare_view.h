// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/text_comparison.h"
#include "widgets/editor/syntax_colors.h"

#include <QAbstractScrollArea>

namespace warpwright {

class Look;
class MarkedScrollBar;

/// Two texts of one file beside each other, row by row: numbers, + and − marks, words that differ; stretches
/// that are alike are folded. Both sides share one scroll bar, so they cannot come apart. Paints only what is
/// in view: the size of the file costs nothing.
class CompareView : public QAbstractScrollArea {
    Q_OBJECT
public:
    CompareView(const Look &look, QWidget *parent = nullptr);

    void setFile(const ComparedFile &file);
    [[nodiscard]] const ComparedFile &file() const { return m_file; }
    /// Brings a change into view and marks it; −1: none.
    void setCurrentHunk(int hunk);
    [[nodiscard]] int currentHunk() const { return m_hunk; }
    /// Shows all that is alike, or folds it again.
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const { return m_isFolded; }
    /// Unfolds where the row is hidden, brings it into view and chooses its line of one side.
    void showRow(int row, bool isLeft);
    [[nodiscard]] int chosenRow() const; ///< -1: none

    /// One line of what is shown: a row of the file, or `hidden` rows from it on that are alike.
    struct Shown {
        int row = 0;
        int hidden = 0; ///< 0: the row itself

        bool operator==(const Shown &) const = default;
    };
    [[nodiscard]] const std::vector<Shown> &shown() const { return m_shown; }
    void unfold(int shownIndex);
    /// The lines chosen with the mouse, of their side.
    [[nodiscard]] QString chosenText() const;

signals:
    void hunkChanged(int hunk);
    void foldedChanged(bool isFolded);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    struct Side;
    void restyle();
    void colour();
    void layOut();
    void placeBars();
    void paintSide(QPainter &painter, const Side &side, const ComparedRow &row, const QRect &rect) const;
    void paintFold(QPainter &painter, const Shown &fold, const QRect &rect, bool isHovered) const;
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] int numberWidth() const;
    [[nodiscard]] int shownAt(int y) const;
    [[nodiscard]] bool isLeft(int x) const;

    const Look &m_look;
    MarkedScrollBar *m_bar;
    ComparedFile m_file;
    SyntaxColors m_syntax;
    std::vector<std::vector<ColoredSpan>> m_leftColors, m_rightColors; // by line
    std::vector<Shown> m_shown;
    int m_widestColumns = 0;
    int m_hunk = -1;
    int m_hovered = -1;
    int m_chosenFrom = -1; // indexes of m_shown
    int m_chosenTo = -1;
    bool m_chosenIsLeft = true;
    bool m_isFolded = true;
};

/// What is shown of rows: of a stretch that is alike, `context` rows beside each change stay, and it is
/// folded only where that hides at least four.
[[nodiscard]] std::vector<CompareView::Shown> foldedRows(const ComparedFile &file, int context = 3);

} // namespace warpwright
