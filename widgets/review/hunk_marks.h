// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"
#include "widgets/editor/syntax_colors.h"
#include "widgets/review/hunk_rows.h"

#include <memory>

namespace warpwright {

class HunkHead;
class HunkTop;

/// The review of a change inside the editor: the document keeps its text; lines that would go are marked, the
/// lines that would come stand below them, a head over each hunk asks. What no hunk touches is folded. All of
/// it moves with the text. It decides nothing: who hears the signals changes the text and gives new hunks.
class HunkMarks : public EditorDecorator {
    Q_OBJECT
public:
    explicit HunkMarks(CodeEditor &editor);
    ~HunkMarks() override;

    /// Takes the place of all; by line, not overlapping. Empty: the review is over. What is in view stays;
    /// stretches that somebody unfolded stay so while the same ids are shown.
    void setHunks(std::vector<ShownHunk> hunks);
    /// With their present lines.
    [[nodiscard]] std::vector<ShownHunk> hunks() const;
    /// 0: none. Does not scroll.
    void setCurrent(int id);
    [[nodiscard]] int current() const { return m_current; }
    /// Makes it the current one, brings it into view and puts the cursor there.
    void goTo(int id);
    void goToNext();
    void goToPrevious();
    void setKeys(const HunkKeys &keys);
    /// Nothing can be answered now, and the buttons say why; empty: it can.
    void setLocked(const QString &why);
    /// Unchanged lines are hidden (as at first) or not.
    void setFolds(bool folds);
    [[nodiscard]] HunkFolds &folds() const { return *m_folds; }

    void forgetContent() override { setHunks({}); }
    void revealLine(int line) override { m_folds->unfold(line); }
    void revealAllLines() override { m_folds->unfoldAll(); }
    void applyLook() override;
    void paint(QPainter &painter, const QRect &rect) override;
    [[nodiscard]] QString toolTip(const QPoint &point) const override;

signals:
    void acceptAsked(int id);
    void rejectAsked(int id);
    void editAsked(int id);
    void undoAsked(int id);
    void resolveAsked(int id);
    void currentChanged(int id);

protected:
    void enabledChanged() override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Item {
        ShownHunk hunk;
        int handle = -1; ///< of its first line, or of the line before what it would put in
        bool isBehindHandle = false;
        std::vector<std::vector<ColoredSpan>> colors; ///< of the new lines, as far as they were in view
        double width = -1; ///< of its widest line, in pixels; negative: not measured yet
    };

    [[nodiscard]] QHash<int, QStringList> rows();
    void markLines();
    void fold();
    void placeHeads();
    void placeHead(const ShownHunk &hunk, int line, int row);
    /// In the viewport; line -1: in the room above.
    [[nodiscard]] int rowTop(int line, int row) const;
    [[nodiscard]] bool areHeadsInPlace() const;
    [[nodiscard]] HunkHead &headOf(const ShownHunk &hunk);
    void markScrollBar();
    void fitCaretLine();
    void fitScrollWidth();
    void step(int by);
    void colorLine(const HunkRow &row);
    [[nodiscard]] const HunkRow *rowAt(const QPoint &point) const;
    [[nodiscard]] QStringList wordsOf(const std::vector<HunkRow> &rows) const;
    [[nodiscard]] int indexOf(int id) const;

    /// Those that are in view of `size`, from `top` on.
    void paintRows(QPainter &painter, const std::vector<HunkRow> &rows, int top, const QSize &size);
    void paintLine(QPainter &painter, const HunkRow &row, const QRect &rect) const;
    void paintHidden(QPainter &painter, const HunkRow &row, const QRect &rect) const;
    void paintMargin(QPainter &painter, int line, int top, bool isRemoved) const;
    void paintBar(QPainter &painter, const ShownHunk &hunk, int top, int height) const;

    std::vector<Item> m_items;
    std::vector<ShownHunk> m_present; ///< with the lines of the last look
    std::map<int, std::vector<HunkRow>> m_rows;
    HunkFolds *m_folds;
    std::unique_ptr<SyntaxColors> m_colors;
    QHash<int, HunkHead *> m_heads;
    HunkTop *m_top;
    HunkKeys m_keys;
    QString m_whyLocked;
    int m_current = 0;
    bool m_foldsUnchanged = true;
    bool m_isPlacing = false;
};

} // namespace warpwright
