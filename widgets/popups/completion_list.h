// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>
#include <QWidget>

#include <vector>

class QKeyEvent;
class QListView;
class QTextEdit;

namespace warpwright {

class Look;

/// One thing that could be written here.
struct CompletionRow {
    QString letter;                       ///< of its kind, in a small frame: "f"
    const char *token = "text.secondary"; ///< the letter's colour
    QString kind;                         ///< the kind in words, for screen readers
    QString label;
    QString signature;     ///< behind the label
    QString type;          ///< at the right
    QString documentation; ///< Markdown; may be empty
    bool isDeprecated = false;
};

/// How well `name` fits what was typed, less is better: 0 begins with it, 1 begins with it in other case, 2 a
/// part of the name does (after "_", at a capital), 3 its letters are there in this order; -1: not at all.
[[nodiscard]] int completionFit(const QString &name, const QString &typed);

/// What could be written at the cursor, best first, with the documentation of the chosen row beside or below
/// it. Lies over the window and never takes the focus: the editor keeps the keys and hands those that are the
/// list's on.
class CompletionList : public QWidget {
    Q_OBJECT
public:
    CompletionList(const Look &look, QWidget *parent);

    /// `word`: what is being typed, in global coordinates. The rows' order is kept; the first one is chosen.
    void showRows(std::vector<CompletionRow> rows, const QString &typed, QWidget *over, const QRect &word);
    [[nodiscard]] int current() const; ///< -1: none
    [[nodiscard]] const std::vector<CompletionRow> &rows() const { return m_rows; }
    /// True: it was one of the list's keys, and is dealt with.
    bool handleKey(const QKeyEvent &key);

signals:
    void taken(int row);
    /// Esc was pressed.
    void dismissed();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    class Model;
    class Delegate;
    void place();
    void describe();
    void choose(int row);

    const Look &m_look;
    std::vector<CompletionRow> m_rows;
    QString m_typed;
    QRect m_word; ///< in the parent's coordinates
    Model *m_model;
    QListView *m_list;
    QTextEdit *m_text;
};

} // namespace warpwright
