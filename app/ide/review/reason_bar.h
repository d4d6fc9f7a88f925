// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QLineEdit;

namespace warpwright {

class Look;
class Words;

/// Why hunks were rejected, asked right after the key below the text, and never in the way of the next one:
/// Enter keeps what was written, Esc nothing, and whatever is answered next keeps it as well. Once it was
/// there its place stays free for the rest of the review, so that nothing moves when it comes and goes.
class ReasonBar : public QWidget {
    Q_OBJECT
public:
    explicit ReasonBar(const Look &look, QWidget *parent = nullptr);

    /// `words`: "Hunk 2 rejected". The keys go to the field.
    void ask(const std::vector<int> &hunks, const QString &words);
    /// Gives what was written, where something was, and is gone.
    void keep();
    /// Gone without it.
    void drop();
    /// The review is over: its place is the text's again.
    void leavePlace();

signals:
    void given(const std::vector<int> &hunks, const QString &reason);
    /// By Enter or Esc: the keys belong to the text again.
    void left();
    /// Ctrl+Z, where there is nothing of the field's to take back: of these answers.
    void undoAsked(const std::vector<int> &hunks);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void holdPlace(bool isHeld);

    const Look &m_look;
    Words *m_words;
    QLineEdit *m_field;
    std::vector<int> m_hunks;
};

} // namespace warpwright
