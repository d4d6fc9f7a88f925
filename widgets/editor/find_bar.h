// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/listing/text_search.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace warpwright {

class ActionButton;
class CodeEditor;
class Look;

/// Finds and replaces in an editor while it stays in view: below it, never over it. Every hit is marked as
/// one types; the nearest is shown. Esc closes it and gives the focus back.
class FindBar : public QWidget {
    Q_OBJECT
public:
    FindBar(const Look &look, QWidget *parent);

    /// Marks move over to it. Null: none.
    void setEditor(CodeEditor *editor);
    /// Starts from what is selected, if that is within a line.
    void open(bool replaces);
    void closeBar();
    [[nodiscard]] const SearchHits &hits() const { return m_hits; }

public slots:
    /// Also while the bar is closed, with what was searched for last.
    void findNext();
    void findPrevious();
    void replaceOne();
    /// One step of undo.
    void replaceAll();

signals:
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    /// The text to find, what it becomes, and then the rest: a window's own order reads row by row.
    bool focusNextPrevChild(bool next) override;

private:
    [[nodiscard]] ActionButton *addButton(const QString &icon, const QString &text, const QString &tip);
    [[nodiscard]] SearchQuery query() const;
    void applyLook();
    /// `follows`: the view goes to the hit at or behind where the search began.
    void search(bool follows);
    void mark();
    void showCount();
    void showCurrent();
    void select(std::size_t hit);
    /// The hit that is selected; the number of hits: none.
    [[nodiscard]] std::size_t current() const;
    void replace(const Replacement &replacement);

    const Look &m_look;
    QPointer<CodeEditor> m_editor;
    QLineEdit *m_field;
    QLineEdit *m_replacement;
    QWidget *m_replaceRow;
    QList<QWidget *> m_stops; ///< in the order in which Tab reaches them
    ActionButton *m_case;
    ActionButton *m_word;
    ActionButton *m_expression;
    QLabel *m_count;
    QLabel *m_problem;
    SearchHits m_hits;
    SearchHit m_current; ///< the hit that is marked as the selected one
    QTimer m_timer;
    long m_origin = 0; ///< where the cursor was when the bar was opened
};

} // namespace warpwright
