// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;

namespace warpwright {

class Look;

/// One short question in a line of its own, instead of a dialog: a line number, a name, or yes by a button.
/// Enter answers, Esc closes; a bad answer is said beside the field and can be mended.
class AskBar : public QWidget {
    Q_OBJECT
public:
    explicit AskBar(const Look &look, QWidget *parent = nullptr);

    /// `answer` gives back what is wrong with the text; empty: it was taken, and the bar closes.
    void ask(const QString &question, const QString &proposal,
             std::function<QString(const QString &)> answer);
    /// A statement with buttons; pressing one closes the bar and does it. The first has the focus ring, none
    /// is pressed by itself.
    struct Choice {
        QString name;
        std::function<void()> act;
    };
    void offer(const QString &statement, const std::vector<Choice> &choices);
    void close();

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void clearChoices();

    const Look &m_look;
    QLabel *m_question;
    QLineEdit *m_field;
    QLabel *m_error;
    QWidget *m_choices;
    QPointer<QWidget> m_before;
    std::function<QString(const QString &)> m_answer;
};

} // namespace warpwright
