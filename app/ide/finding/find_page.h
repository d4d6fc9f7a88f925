// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/finding/found_rows.h"
#include "app/ide/finding/text_hunt.h"

#include <QTimer>
#include <QWidget>

class QBoxLayout;
class QLabel;
class QLineEdit;

namespace warpwright {

class ActionButton;
class LongList;
class Look;

/// Words to look for in all texts, and where they are: a page that stays beside the code. Asks while one
/// types; Enter or a click on a row goes there, Del takes a row away from what is replaced.
class FindPage : public QWidget {
    Q_OBJECT
public:
    explicit FindPage(const Look &look, QWidget *parent = nullptr);

    /// The keys go to the field; `words`: what is looked for from now on; empty: as before.
    void ask(const QString &words, bool replaces);
    /// What is asked for now.
    [[nodiscard]] Question question() const;
    /// The answer to the newest question begins, goes on, ends.
    void begin(std::vector<SearchedText> texts);
    void add(const std::vector<FoundHit> &hits);
    void end(const TextHunt::Ending &ending);
    /// Texts were changed since they were looked through.
    void setStale(bool isStale);
    [[nodiscard]] bool isStale() const { return m_isStale; }
    /// Why nothing may be replaced now; empty: it may.
    void setWhyNoReplace(const QString &why);
    /// Shows the next hit (1) or the one before (−1), and goes there.
    void step(int by);
    void say(const QString &words);
    [[nodiscard]] const Look &look() const { return m_look; }
    [[nodiscard]] const FoundRows &rows() const { return *m_rows; }

signals:
    void asked(const warpwright::Question &question);
    void stopAsked();
    void hitActivated(const warpwright::FoundHit &hit);
    void replaceAsked();
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] ActionButton *addButton(const QString &text, const QString &tip);
    void applyLook();
    void askNow();
    void activate(int row);
    void describe();

    const Look &m_look;
    QLineEdit *m_field;
    QLineEdit *m_replacement;
    QWidget *m_replaceRow;
    QBoxLayout *m_question = nullptr; ///< the field, and its options beside or below it
    ActionButton *m_case;
    ActionButton *m_word;
    ActionButton *m_expression;
    ActionButton *m_replaces;
    ActionButton *m_replaceAll;
    ActionButton *m_again; ///< or Stop, while it runs
    QLabel *m_state;
    LongList *m_list;
    FoundRows *m_rows;
    QTimer m_soon;
    Question m_last;
    TextHunt::Ending m_ending;
    QString m_said; ///< instead of the count; empty: the count
    QString m_whyNoReplace;
    bool m_isRunning = false;
    bool m_isStale = false;
};

} // namespace warpwright
