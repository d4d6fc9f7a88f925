// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/hunk.h"

#include <QWidget>

#include <array>
#include <map>
#include <optional>

class QAction;
class QPlainTextEdit;

namespace warpwright {

class ActionButton;
class Look;
class Words;

/// A hunk whose old lines the person changed meanwhile: the lines that the agent read, those that stand there
/// now and those that it wants, beside each other, and three ways out. The merge is written below them;
/// Ctrl+Enter takes it, Esc leaves it for later.
class ConflictView : public QWidget {
    Q_OBJECT
public:
    /// What its buttons do; the window owns them.
    struct Acts {
        QAction *mine;
        QAction *theirs;
        QAction *merge;
    };
    ConflictView(const Look &look, const Acts &acts, QWidget *parent = nullptr);

    /// `number`: what people call it. What is being written stays while it is the same hunk.
    void setConflict(const Hunk &hunk, int number);
    /// None any more.
    void clear();
    /// The proposal is gone: gives what was written and not taken, by the hunk's number.
    [[nodiscard]] std::map<int, QString> takeUnsaved();
    [[nodiscard]] int hunk() const { return m_hunk ? m_hunk->id : 0; }
    void editMerge();

signals:
    void merged(int hunk, const warpwright::TextLines &lines);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Draft {
        int number = 0;
        QString text;
    };
    void take();
    void leave();
    void keepDraft();
    void fit();
    void restyle();

    const Look &m_look;
    std::optional<Hunk> m_hunk;
    int m_number = 0;
    Words *m_title;
    std::array<QPlainTextEdit *, 3> m_sides; ///< base, yours, proposed
    std::array<Words *, 3> m_heads;
    QWidget *m_mergeBox;
    QPlainTextEdit *m_merge;
    ActionButton *m_mergeButton;
    std::map<int, Draft> m_drafts; ///< by the hunk's id
};

/// The person's lines, and below them those of the agent that are not among them: what a merge begins with.
[[nodiscard]] QString mergeBeginning(const Hunk &hunk);
/// As lines of the file: with its ends, and with one at the last line where the hunk has one.
[[nodiscard]] TextLines mergedLines(const QString &text, const Hunk &hunk);

} // namespace warpwright
